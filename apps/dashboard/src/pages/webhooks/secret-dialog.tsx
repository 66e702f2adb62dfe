import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The signing secret, the one time it can be seen. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="The signing secret"
      description="Your receiver needs it to tell our deliveries from anybody else's."
      width="md"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <CopyField label="signing secret" value={secret} />
        <Notice tone="warn">It is shown this once. If it is lost, roll the secret to get a new one.</Notice>
      </div>
    </Dialog>
  );
}
