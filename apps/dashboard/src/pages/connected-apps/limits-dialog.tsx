import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { useSession } from "../../api/session.ts";
import { useWorkspace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input, Select, SwitchField } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { PasswordInput } from "../auth/password-input.tsx";
import type { ConnectionView } from "./connection-words.ts";

/** What a connection may do. Less acts at once; more needs the password of whoever granted it. */
export function LimitsDialog({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { workspace } = useWorkspace();
  const { user } = useSession();
  const { isOwn, client } = connection;
  const [reach, setReach] = useState<"all" | "this">(connection.reach === "all" ? "all" : "this");
  const [allowDelete, setAllowDelete] = useState(connection.allowDelete);
  const [budget, setBudget] = useState(String(connection.publishPerHour));
  const [password, setPassword] = useState("");
  const change = useAct("change_connection", {
    stale: ["list_connections"],
    onSuccess: () => {
      toast.ok(`${client.name} obeys from its next call on.`);
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
  const passwordError = change.error?.fieldError("password");
  const budgetError = Number.isInteger(publishPerHour) ? change.error?.fieldError("publishPerHour") : "Must be a whole number";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`What ${client.name} may do`}
      description="It acts at once, without connecting anew."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="limits" variant="primary" busy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="limits"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (Number.isInteger(publishPerHour)) save();
        }}
      >
        {isOwn && (
          <Field label="Workspaces">
            {(control) => (
              <Select {...control} value={reach} onChange={(event) => setReach(event.target.value as typeof reach)}>
                <option value="this">{workspace.name} only</option>
                <option value="all">All your workspaces</option>
              </Select>
            )}
          </Field>
        )}
        <SwitchField
          label="Allow deleting"
          help="Posts, images and terms; posts and images wait in the trash for 30 days."
          checked={allowDelete}
          onCheckedChange={setAllowDelete}
          disabled={!isOwn && !connection.allowDelete}
        />
        <Field
          label="Posts it may make public in an hour"
          error={budgetError}
          help={isOwn ? "Publishing, scheduling and updating count. 0 keeps it to drafts." : `At most ${connection.publishPerHour}.`}
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
            You can take rights away. Only {connection.grantedBy.name ?? "its owner"} can give it more, or choose its workspaces.
          </p>
        )}
        {isOwn && isWider && (
          <>
            <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
            <Field label="Your password" error={passwordError} help="Because this lets it do more than before.">
              {(control) => (
                <PasswordInput
                  {...control}
                  autoComplete="current-password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
          </>
        )}
        {change.isError && !passwordError && <Notice tone="danger">{messageOf(change.error)}</Notice>}
      </form>
    </Dialog>
  );
}
