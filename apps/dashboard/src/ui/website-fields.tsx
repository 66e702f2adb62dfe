import type { ReactNode } from "react";
import { Field } from "./field.tsx";
import { Input, SwitchField } from "./inputs.tsx";

interface NameProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

export const WorkspaceNameField = ({ value, onChange, error }: NameProps) => (
  <Field label="Workspace" help="Your company, your team, or just you. It holds your websites and their members." error={error}>
    {(control) => (
      <Input
        {...control}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="organization"
        required
        maxLength={100}
        autoFocus
        className="h-10"
      />
    )}
  </Field>
);

export const WebsiteNameField = ({
  value,
  onChange,
  error,
  help = "The blog you write for. You can add more later.",
  required = false,
  autoFocus = false,
}: NameProps & { help?: ReactNode; required?: boolean; autoFocus?: boolean }) => (
  <Field label="Website" help={help} error={error} optional={!required}>
    {(control) => (
      <Input
        {...control}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        required={required}
        autoFocus={autoFocus}
        autoComplete="off"
        maxLength={100}
        className="h-10"
      />
    )}
  </Field>
);

export const SamplePostsSwitch = (props: { checked: boolean; onCheckedChange: (checked: boolean) => void }) => (
  <SwitchField
    label="Add sample posts"
    help="Twelve published posts with images, categories and authors, to try things out. Delete them at any time."
    {...props}
  />
);
