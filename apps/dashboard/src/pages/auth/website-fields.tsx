import type { ReactNode } from "react";
import { Field } from "../../ui/field.tsx";
import { Input, SwitchField } from "../../ui/inputs.tsx";

export const WorkspaceNameField = ({ error, defaultValue }: { error?: string | undefined; defaultValue?: string }) => (
  <Field label="Workspace" help="Your company, team or yourself: it has members and a plan." error={error}>
    {(control) => (
      <Input
        {...control}
        name="workspaceName"
        autoComplete="organization"
        required
        maxLength={100}
        autoFocus
        className="h-10"
        {...(defaultValue !== undefined && { defaultValue })}
      />
    )}
  </Field>
);

export const WebsiteNameField = ({
  error,
  help = "The blog you write for. You can add more later.",
  ...rest
}: {
  error?: string | undefined;
  help?: ReactNode;
  required?: boolean;
  autoFocus?: boolean;
  defaultValue?: string;
}) => (
  <Field label="Website" help={help} error={error} optional={!rest.required}>
    {(control) => <Input {...control} {...rest} name="websiteName" autoComplete="off" maxLength={100} className="h-10" />}
  </Field>
);

export const SamplePostsSwitch = (props: { checked: boolean; onCheckedChange: (checked: boolean) => void; disabled?: boolean }) => (
  <SwitchField
    label="Add sample posts"
    help="Twelve published posts with pictures, categories and authors, so that there is something to read. Delete them when you like."
    {...props}
  />
);
