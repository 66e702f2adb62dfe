import { useState } from "react";
import { useAct, useOp } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";

export function InvitationsCard() {
  const { workspace } = useWorkspaceContext();
  const at = { workspaceId: workspace.id };
  const open = useOp("list_invitations", at);
  const revoke = useAct("revoke_invitation", { stale: ["list_invitations"] });
  const [revoking, setRevoking] = useState<{ id: string; email: string } | null>(null);
  return (
    <Card title="Open invitations" description="A link is shown only once. If it is lost, invite the address again.">
      {open.isLoadingError ? (
        <ErrorState error={open.error} onRetry={() => void open.refetch()} />
      ) : !open.data ? (
        <Skeleton className="h-10" />
      ) : open.data.length === 0 ? (
        <p className="text-sm text-muted">No open invitations.</p>
      ) : (
        <ul className="-my-1 divide-y divide-line">
          {open.data.map(({ id, email, role, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
              <div className="min-w-0 flex-1 basis-48">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  <span className="break-all">{email}</span>
                  <Badge>{role}</Badge>
                </p>
                <p className="text-[0.8125rem] text-muted">
                  Expires <TimeAgo at={expiresAt} />
                </p>
              </div>
              <Button size="sm" onClick={() => setRevoking({ id, email })}>
                Withdraw
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(next) => !next && setRevoking(null)}
        title="Withdraw the invitation?"
        action="Withdraw"
        onConfirm={async () => {
          await revoke.mutateAsync({ ...at, invitationId: revoking?.id ?? "" });
          toast.ok(`Invitation for ${revoking?.email} withdrawn.`);
        }}
      >
        The link for {revoking?.email} stops working right away.
      </ConfirmDialog>
    </Card>
  );
}
