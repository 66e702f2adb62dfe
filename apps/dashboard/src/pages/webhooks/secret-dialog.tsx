import { ShownOnceDialog } from "../../ui/shown-once-dialog.tsx";

/** The signing secret, the one time it can be seen. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnceDialog
      what="signing secret"
      value={secret}
      title="The signing secret"
      description="Your receiver verifies deliveries with it. Copy it now: it is shown only once. Once your receiver has it, send a test."
      ifLost="roll the secret to get a new one"
      onClose={onClose}
    />
  );
}
