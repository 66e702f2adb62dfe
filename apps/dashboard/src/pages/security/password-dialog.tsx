import { authCodeOf } from "../../api/auth.ts";
import { useSession } from "../../api/session.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";

/** Asks for the password before something that a forgotten open window must not allow. */
export function PasswordDialog({
  open,
  onOpenChange,
  title,
  description,
  action,
  danger = false,
  onPassword,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  /** The label of the button. */
  action: string;
  danger?: boolean;
  onPassword: (password: string) => Promise<void>;
}) {
  const { user } = useSession();
  const form = useForm((values) => onPassword(textIn(values, "password")));
  const isWrong = authCodeOf(form.error) === "INVALID_PASSWORD";
  const message = form.error === null ? undefined : messageOf(form.error);
  const change = (next: boolean) => {
    form.setError(null);
    onOpenChange(next);
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={description}>
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {message && !isWrong && <Notice tone="danger">{message}</Notice>}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Field label="Your password" error={isWrong ? message : undefined}>
          {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" required className="h-10" />}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" variant={danger ? "danger" : "primary"} busy={form.busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
