import { useState } from "react";
import { useAct } from "../../../api/hooks.ts";
import { useWorkspaceContext } from "../../../shell/website-context.ts";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Input } from "../../../ui/inputs.tsx";
import { ShownOnceDialog } from "../../../ui/shown-once-dialog.tsx";
import { OwnPasswordField } from "../own-password-field.tsx";
import { AllowDeleteField, type ReachChoice, WorkspacesField } from "../reach-fields.tsx";

/** First the form, then the token. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useWorkspaceContext();
  const [name, setName] = useState("");
  const [reach, setReach] = useState<ReachChoice>("this");
  const [allowDelete, setAllowDelete] = useState(false);
  const [password, setPassword] = useState("");
  const create = useAct("create_ci_credential", { stale: ["list_connections"] });
  if (create.data) {
    const { connection, token } = create.data;
    return (
      <ShownOnceDialog
        what="token"
        value={token}
        title={`${connection.client.name} is ready`}
        description="Copy the token now. It is shown only once."
        command={`curl "${window.location.origin}/api/cli/whoami" \\\n  -H "Authorization: Bearer ${token}"`}
        ifLost={`disconnect ${connection.client.name} and create another`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="New token for a script"
      description="It acts for you, with your role and the access you choose here."
      action="Create token"
      busy={create.isPending}
      problem={create.error}
      fields={["name", "password"]}
      onSubmit={() => create.mutate({ name, workspaces: reach === "all" ? "all" : workspace.id, allowDelete, password })}
      onClose={onClose}
    >
      <Field label="Name" error={create.error?.fieldError("name")} help="For example, Nightly build.">
        {(control) => <Input {...control} value={name} maxLength={120} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <WorkspacesField value={reach} onChange={setReach} />
      <AllowDeleteField value={allowDelete} onChange={setAllowDelete} />
      <OwnPasswordField
        value={password}
        onChange={setPassword}
        error={create.error?.fieldError("password")}
        why="Needed because the token lasts longer than your session."
      />
    </FormDialog>
  );
}
