import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Field } from "../../ui/field.tsx";
import { Select, SwitchField } from "../../ui/inputs.tsx";

/** This workspace, or every one its person is a member of. */
export type ReachChoice = "this" | "all";

export function WorkspacesField({ value, onChange }: { value: ReachChoice; onChange: (reach: ReachChoice) => void }) {
  const { workspace } = useWorkspaceContext();
  return (
    <Field label="Workspaces">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value as ReachChoice)}>
          <option value="this">{workspace.name} only</option>
          <option value="all">All your workspaces</option>
        </Select>
      )}
    </Field>
  );
}

export function AllowDeleteField({
  value,
  onChange,
  disabled = false,
}: {
  value: boolean;
  onChange: (allowed: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <SwitchField
      label="Allow deleting"
      help="Posts, images, categories, tags and authors. Posts and images stay in the trash for 30 days."
      checked={value}
      onCheckedChange={onChange}
      disabled={disabled}
    />
  );
}
