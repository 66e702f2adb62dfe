import { Link } from "@tanstack/react-router";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import type { ApiKey } from "../../api/answers.ts";
import { useAct, useOp } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { isOwnServer } from "../../lib/plan-words.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import { toast } from "../../ui/toast.tsx";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { KeyRow } from "./key-row.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

const COLUMNS = ["Name", "Key", "Status", "Origins", "Monthly cap", "Created", "Last used", "Actions"];

export function KeysPage() {
  const { website, workspace } = useWebsiteContext();
  const at = { websiteId: website.id };
  const keys = useOp("list_keys", at);
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  const [creating, setCreating] = useState(false);
  const [editing, setEditing] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useAct("revoke_key", { stale: ["list_keys", "get_usage"] });

  const live = (keys.data ?? []).filter(({ status }) => status === "live").length;
  const allowed = usage.data?.limits.liveKeys ?? null;
  const isFull = allowed !== null && live >= allowed;
  const createButton = (
    <Button variant="primary" onClick={() => setCreating(true)} disabled={!keys.data || isFull}>
      <Plus aria-hidden /> Create key
    </Button>
  );

  return (
    <Page
      title="API keys"
      description="A key lets your website read published posts. It cannot write, and it cannot see drafts."
      actions={keys.data && keys.data.length > 0 && createButton}
    >
      {allowed !== null && keys.data && (
        <Notice tone={isFull ? "warn" : "info"}>
          {isOwnServer(workspace.plan) ? "This server" : `The ${workspace.plan} plan`} allows {plural(allowed, "live key")} per website, and{" "}
          {live} {live === 1 ? "is" : "are"} in use. {isFull && "Revoke one before you create another"}
          {isFull && !isOwnServer(workspace.plan) && (
            <>
              , or{" "}
              <Link to="/w/$workspaceId/plan" params={{ workspaceId: workspace.id }} className="font-medium underline">
                choose a larger plan
              </Link>
            </>
          )}
          {isFull && "."}
        </Notice>
      )}
      {keys.isLoadingError ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <Skeleton className="h-48" />
      ) : keys.data.length === 0 ? (
        <EmptyState icon={KeyRound} title="No keys yet" action={createButton}>
          Create one for each place that reads your posts: production, previews, builds.
        </EmptyState>
      ) : (
        <div className="overflow-hidden rounded-card border border-line bg-surface">
          <StackedTable label="API keys" columns={COLUMNS}>
            {keys.data.map((key) => (
              <KeyRow key={key.id} of={key} onEdit={() => setEditing(key)} onRevoke={() => setRevoking(key)} />
            ))}
          </StackedTable>
        </div>
      )}
      {creating && <NewKeyDialog onClose={() => setCreating(false)} />}
      {editing && <EditKeyDialog of={editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title={`Revoke ${revoking?.name ?? ""}?`}
        action="Revoke key"
        onConfirm={async () => {
          await revoke.mutateAsync({ ...at, keyId: revoking?.id ?? "" });
          toast.ok(`API key ${revoking?.name} revoked.`);
        }}
      >
        The next request with <code>{revoking?.masked}</code> is refused. This cannot be undone: everything that uses the key needs a new
        one.
      </ConfirmDialog>
    </Page>
  );
}
