import { useRef, useState } from "react";
import { authPost } from "../../api/auth.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame, linkClass } from "../../shell/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Checkbox, Input } from "../../ui/inputs.tsx";

const KINDS = {
  totp: {
    path: "/two-factor/verify-totp",
    label: "Code from your app",
    description: "Enter the six digits your authenticator app shows for Stet.",
    other: "Use a backup code instead",
  },
  backup: {
    path: "/two-factor/verify-backup-code",
    label: "Backup code",
    description: "Enter one of the codes you saved when you turned on two-factor sign-in. Each works once.",
    other: "Use the code from my app instead",
  },
} as const;

/** The step after the password, for people who switched it on. */
export function SecondFactor({ onDone, onCancel }: { onDone: () => Promise<void>; onCancel: () => void }) {
  const [kind, setKind] = useState<keyof typeof KINDS>("totp");
  const [trustDevice, setTrustDevice] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const form = useForm(async (values) => {
    await authPost(KINDS[kind].path, { code: textIn(values, "code").replaceAll(/\s/g, ""), trustDevice });
    await onDone();
  });
  const { label, description, other } = KINDS[kind];
  return (
    <AuthFrame
      title="One more step"
      description={description}
      footer={
        <p>
          <button type="button" className={linkClass} onClick={onCancel}>
            Start over
          </button>
        </p>
      }
    >
      <form ref={element} className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <Field key={kind} label={label} error={form.error === null ? undefined : messageOf(form.error)}>
          {(control) => (
            <Input
              {...control}
              name="code"
              required
              autoFocus
              spellCheck={false}
              autoCapitalize="off"
              className="h-11 font-mono text-lg tracking-widest"
              {...(kind === "totp" && {
                inputMode: "numeric" as const,
                autoComplete: "one-time-code",
                // The sixth digit is the last thing to do here.
                onChange: (event) => /^\d{6}$/.test(event.target.value) && element.current?.requestSubmit(),
              })}
            />
          )}
        </Field>
        <label className="flex items-center gap-2.5 text-sm">
          <Checkbox checked={trustDevice} onCheckedChange={(checked) => setTrustDevice(checked === true)} />
          Trust this device for 30 days
        </label>
        <Button type="submit" variant="primary" size="lg" busy={form.busy}>
          Continue
        </Button>
        <button
          type="button"
          className={`${linkClass} self-center text-sm`}
          onClick={() => {
            form.setError(null);
            setKind(kind === "totp" ? "backup" : "totp");
          }}
        >
          {other}
        </button>
      </form>
    </AuthFrame>
  );
}
