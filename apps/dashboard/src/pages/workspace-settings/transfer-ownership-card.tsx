import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAct, useOp } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";

export function TransferOwnershipCard() {
  const { workspace, session } = useWorkspaceContext();
  const at = { workspaceId: workspace.id };
  const members = useOp("list_members", at);
  const others = (members.data ?? []).filter(({ userId }) => userId !== session.user.id);
  const [heirId, setHeirId] = useState("");
  const [asking, setAsking] = useState(false);
  const heir = others.find(({ userId }) => userId === heirId);
  const transfer = useAct("transfer_ownership", { stale: ["session", "list_members"] });
  return (
    <Card
      title="Transfer ownership"
      description="A workspace has one owner. Only the owner can change the plan, and delete websites or the workspace. You become an admin."
    >
      {members.data && others.length === 0 ? (
        <p className="text-sm text-muted">
          No other members yet.{" "}
          <Link to="/w/$workspaceId/members" params={at} className="text-text underline">
            Invite someone
          </Link>
        </p>
      ) : (
        <div className="flex flex-wrap items-end gap-3">
          <Field label="New owner" className="min-w-0 flex-1 basis-52">
            {(control) => (
              <Select {...control} value={heirId} onChange={(event) => setHeirId(event.target.value)}>
                <option value="">Choose a member</option>
                {others.map(({ userId, name, role }) => (
                  <option key={userId} value={userId}>
                    {name} ({role})
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Button disabled={!heir} onClick={() => setAsking(true)}>
            Transfer …
          </Button>
        </div>
      )}
      {heir && (
        <ConfirmDialog
          open={asking}
          onOpenChange={setAsking}
          title={`Make ${heir.name} the owner?`}
          action="Transfer ownership"
          typeName={workspace.name}
          onConfirm={async () => {
            await transfer.mutateAsync({ ...at, userId: heir.userId });
            toast.ok(`${heir.name} now owns ${workspace.name}.`);
          }}
        >
          You become an admin. Only {heir.name} can then change the plan, delete the workspace or transfer ownership back.
        </ConfirmDialog>
      )}
    </Card>
  );
}
