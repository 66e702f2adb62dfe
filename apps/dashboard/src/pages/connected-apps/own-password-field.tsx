import { useSession } from "../../api/session.ts";
import { Field } from "../../ui/field.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";

/** Asks once more who is there; the address beside it tells the browser which password to fill in. */
export function OwnPasswordField({
  value,
  onChange,
  error,
  why,
}: {
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
  why: string;
}) {
  const { user } = useSession();
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <Field label="Your password" error={error} help={why}>
        {(control) => (
          <PasswordInput {...control} autoComplete="current-password" value={value} onChange={(event) => onChange(event.target.value)} />
        )}
      </Field>
    </>
  );
}
