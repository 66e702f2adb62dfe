import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useSession } from "../../api/session.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input } from "../../ui/inputs.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import { toast } from "../../ui/toast.tsx";

/** `hasMail`: whether the new address can be asked first. */
export function EmailDialog({ hasMail, onClose }: { hasMail: boolean; onClose: () => void }) {
  const { user } = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const change = useAct("change_email", {
    stale: ["session"],
    onSuccess: ({ email: taken, outcome }) => {
      toast.ok(
        outcome === "mailed"
          ? `Check the inbox of ${taken}: your address changes when you open the link. It expires in an hour.`
          : `Sign in with ${taken} from now on.`,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Change your email address"
      description={
        hasMail
          ? "We email a link to the new address and a notice to the old one. Nothing changes until you open the link."
          : "Email is not set up here, so the address changes right away. Check the spelling: you sign in with it."
      }
      action={hasMail ? "Send link" : "Change address"}
      busy={change.isPending}
      problem={change.error}
      fields={["email", "password"]}
      onSubmit={() => change.mutate({ email: email.trim(), password })}
      onClose={onClose}
    >
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <Field label="New address" error={change.error?.fieldError("email")}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            required
            autoFocus
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            className="h-10"
          />
        )}
      </Field>
      <Field label="Your password" error={change.error?.fieldError("password")}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="current-password"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            className="h-10"
          />
        )}
      </Field>
    </FormDialog>
  );
}
