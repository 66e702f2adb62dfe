import { useState } from "react";
import { rpc } from "../../api/rpc.ts";
import { useWorkspace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { useDepart } from "./use-depart.ts";

export function LeaveWorkspaceCard() {
  const { workspace } = useWorkspace();
  const depart = useDepart();
  const [asking, setAsking] = useState(false);
  const isOwner = workspace.role === "owner";
  return (
    <Card
      title="Leave this workspace"
      description={
        isOwner
          ? "The owner cannot leave. Transfer the ownership first."
          : "You lose access at once. What you wrote stays in the workspace."
      }
      action={
        <Button disabled={isOwner} onClick={() => setAsking(true)}>
          Leave …
        </Button>
      }
      className="[&>div]:py-2"
    >
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Leave ${workspace.name}?`}
        action="Leave workspace"
        onConfirm={async () => {
          await rpc("leave_workspace", { workspaceId: workspace.id });
          toast.ok(`You left ${workspace.name}.`);
          await depart();
        }}
      >
        You lose access to its websites at once, and your open invitations are withdrawn. To come back, somebody has to invite you again.
      </ConfirmDialog>
    </Card>
  );
}
