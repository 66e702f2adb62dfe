import { authPost } from "../../api/auth.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { QrCode } from "./qr-code.tsx";

/** The secret goes into the app, and a code of the app proves that it arrived. */
export function ConfirmApp({ uri, onConfirmed }: { uri: string; onConfirmed: () => Promise<void> }) {
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const form = useForm(async (values) => {
    await authPost("/two-factor/verify-totp", { code: textIn(values, "code").replaceAll(/\s/g, "") });
    await onConfirmed();
  });
  return (
    <form className="flex flex-col gap-5" onSubmit={form.onSubmit}>
      <div className="flex flex-col items-center gap-3">
        <QrCode text={uri} label="QR code for your authenticator app" />
        <p className="text-[0.8125rem] text-muted">No camera? Type this into the app instead:</p>
        <div className="w-full">
          <CopyField label="the secret" value={secret} />
        </div>
      </div>
      <Field label="Code from your app" error={form.error === null ? undefined : messageOf(form.error)}>
        {(control) => (
          <Input
            {...control}
            name="code"
            required
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            className="h-11 font-mono text-lg tracking-widest"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={form.busy} className="self-end">
        Turn on
      </Button>
    </form>
  );
}
