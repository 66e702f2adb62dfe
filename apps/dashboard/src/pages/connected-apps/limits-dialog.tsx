import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";
import type { ConnectionView } from "./connection-words.ts";
import { OwnPasswordField } from "./own-password-field.tsx";
import { AllowDeleteField, type ReachChoice, WorkspacesField } from "./reach-fields.tsx";

/** Changes the access of a connection. Less access takes effect right away; more needs the password of the person who granted it. */
export function LimitsDialog({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { workspace } = useWorkspaceContext();
  const { isOwn, client } = connection;
  const [reach, setReach] = useState<ReachChoice>(connection.reach === "all" ? "all" : "this");
  const [allowDelete, setAllowDelete] = useState(connection.allowDelete);
  const [budget, setBudget] = useState(String(connection.publishPerHour));
  const [password, setPassword] = useState("");
  const change = useAct("change_connection", {
    stale: ["list_connections"],
    onSuccess: () => {
      toast.ok(`Access saved. It applies from the next call of ${client.name}.`);
      onClose();
    },
  });
  const publishPerHour = budget.trim() === "" ? Number.NaN : Number(budget);
  const isWider =
    (reach === "all" && connection.reach !== "all") ||
    (allowDelete && !connection.allowDelete) ||
    publishPerHour > connection.publishPerHour;
  const save = () =>
    change.mutate({
      workspaceId: workspace.id,
      connectionId: connection.id,
      publishPerHour,
      allowDelete,
      ...(isOwn && { reach }),
      ...(isWider && isOwn && { password }),
    });
  return (
    <FormDialog
      title={`Access of ${client.name}`}
      description="Changes apply right away, without reconnecting."
      action="Save"
      busy={change.isPending}
      problem={change.error}
      fields={["publishPerHour", "password"]}
      onSubmit={() => Number.isInteger(publishPerHour) && save()}
      onClose={onClose}
    >
      {isOwn && <WorkspacesField value={reach} onChange={setReach} />}
      <AllowDeleteField value={allowDelete} onChange={setAllowDelete} disabled={!isOwn && !connection.allowDelete} />
      <Field
        label="Publications and removals per hour"
        error={Number.isInteger(publishPerHour) ? change.error?.fieldError("publishPerHour") : "Must be a whole number"}
        help={
          isOwn
            ? "Publications and removals (unpublishing and deleting) are counted separately, each up to this number. With 0, the app can only write drafts."
            : `At most ${connection.publishPerHour}.`
        }
      >
        {(control) => (
          <Input
            {...control}
            type="number"
            min={0}
            max={isOwn ? 1_000 : connection.publishPerHour}
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        )}
      </Field>
      {!isOwn && (
        <p className="text-sm text-muted">
          You can reduce its access. Only {connection.grantedBy.name ?? "its owner"} can extend it or choose its workspaces.
        </p>
      )}
      {isOwn && isWider && (
        <OwnPasswordField
          value={password}
          onChange={setPassword}
          error={change.error?.fieldError("password")}
          why="Needed because you are giving it more access."
        />
      )}
    </FormDialog>
  );
}
