import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberRow } from "./member-row.tsx";
import { RolesCard } from "./roles-card.tsx";

export function MembersPage() {
  const { workspace, may } = useWorkspaceContext();
  const members = useOp("list_members", { workspaceId: workspace.id });
  const [inviting, setInviting] = useState(false);
  const columns = ["Member", "Role", "Joined", ...(may("member.manage") ? ["Actions"] : [])];
  return (
    <Page
      title="Members"
      description="People who work in this workspace, each with one role for all its websites."
      actions={
        may("member.manage") && (
          <Button variant="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden /> Invite
          </Button>
        )
      }
    >
      {members.isLoadingError ? (
        <ErrorState error={members.error} onRetry={() => void members.refetch()} />
      ) : !members.data ? (
        <Skeleton className="h-40" />
      ) : (
        <div className="overflow-hidden rounded-card border border-line bg-surface">
          <StackedTable label="Members" columns={columns}>
            {members.data.map((member) => (
              <MemberRow key={member.userId} member={member} />
            ))}
          </StackedTable>
        </div>
      )}
      {may("member.manage") && <InvitationsCard />}
      <RolesCard />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
