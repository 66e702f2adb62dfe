import { rpc } from "../../api/rpc.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { ConfirmCard } from "../../ui/confirm-card.tsx";
import { toast } from "../../ui/toast.tsx";
import { useExitWorkspace } from "./use-exit-workspace.ts";

export function LeaveWorkspaceCard() {
  const { workspace } = useWorkspaceContext();
  const exitWorkspace = useExitWorkspace();
  const isOwner = workspace.role === "owner";
  return (
    <ConfirmCard
      title="Leave this workspace"
      description={
        isOwner ? "The owner cannot leave. Transfer ownership first." : "You lose access right away. Your posts stay in the workspace."
      }
      button="Leave …"
      disabled={isOwner}
      question={`Leave ${workspace.name}?`}
      action="Leave workspace"
      onConfirm={async () => {
        await rpc("leave_workspace", { workspaceId: workspace.id });
        toast.ok(`You left ${workspace.name}.`);
        await exitWorkspace();
      }}
    >
      You lose access to its websites right away, and invitations you sent are withdrawn. To come back, you need a new invitation.
    </ConfirmCard>
  );
}
