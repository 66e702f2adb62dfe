import { Field } from "./field.tsx";
import { Input } from "./inputs.tsx";
import { PasswordInput } from "./password-input.tsx";

interface FieldProps {
  error?: string | undefined;
  autoFocus?: boolean;
  defaultValue?: string;
  readOnly?: boolean;
}

export const NameField = ({ error, ...rest }: FieldProps) => (
  <Field label="Your name" error={error}>
    {(control) => <Input {...control} {...rest} name="name" autoComplete="name" required maxLength={100} className="h-10" />}
  </Field>
);

export const EmailField = ({ error, ...rest }: FieldProps) => (
  <Field label="Email" error={error}>
    {(control) => <Input {...control} {...rest} name="email" type="email" autoComplete="username" required className="h-10" />}
  </Field>
);

export const NewPasswordField = ({ error, label = "Password", ...rest }: FieldProps & { label?: string }) => (
  <Field label={label} error={error} help="At least 10 characters. A few words are easiest to remember.">
    {(control) => (
      <PasswordInput
        {...control}
        {...rest}
        name="password"
        autoComplete="new-password"
        required
        minLength={10}
        maxLength={128}
        className="h-10"
      />
    )}
  </Field>
);
