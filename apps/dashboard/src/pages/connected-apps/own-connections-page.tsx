import { Link } from "@tanstack/react-router";
import { Bot, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { formatDate } from "../../lib/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import { hostWords, KIND_WORDS, reachWords } from "./connection-words.ts";
import { type OwnConnection, useOwnConnections } from "./own-connections.ts";

export function OwnConnectionsPage() {
  const { connections, isPending, error, refetch } = useOwnConnections();
  const [ended, setEnded] = useState<OwnConnection | null>(null);
  const disconnect = useAct("disconnect", { stale: ["list_connections"] });
  const disconnectLeft = useAct("disconnect_left", { stale: ["list_left_connections"] });
  return (
    <Page
      title="Connected apps"
      description="Assistants and scripts that act for you, in all your workspaces. Disconnect any you do not recognise."
      narrow
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : isPending ? (
        <Loading />
      ) : connections.length === 0 ? (
        <EmptyState icon={Bot} title="No connected apps">
          Connect an assistant or a script on a workspace’s Connected apps page. It appears here too.
        </EmptyState>
      ) : (
        <ul aria-label="Your connected apps" className="divide-y divide-line rounded-card border border-line bg-surface">
          {connections.map((own) => (
            <OwnConnectionRow key={own.connection.id} own={own} onDisconnect={() => setEnded(own)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={ended !== null}
        onOpenChange={() => setEnded(null)}
        title={`Disconnect ${ended?.connection.client.name ?? ""}?`}
        action="Disconnect"
        onConfirm={async () => {
          if (!ended) return;
          const { workspace, connection } = ended;
          if (workspace) await disconnect.mutateAsync({ workspaceId: workspace.id, connectionId: connection.id });
          else await disconnectLeft.mutateAsync({ connectionId: connection.id });
          toast.ok(`${ended.connection.client.name} is disconnected. Its next request is refused.`);
        }}
      >
        Its next request is refused, in every workspace. Its changes stay and can still be undone.
      </ConfirmDialog>
    </Page>
  );
}

function OwnConnectionRow({ own, onDisconnect }: { own: OwnConnection; onDisconnect: () => void }) {
  const { client, kind, allowDelete, createdAt, lastUsedAt } = own.connection;
  const Icon = kind === "ai" ? Bot : SquareTerminal;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-40 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          {own.workspace ? (
            <>
              <Link
                to="/w/$workspaceId/connected-apps/$connectionId"
                params={{ workspaceId: own.workspace.id, connectionId: own.connection.id }}
                className="font-medium wrap-anywhere underline-offset-3 hover:underline"
              >
                {client.name}
              </Link>
              <Badge tone={allowDelete ? "warn" : "neutral"}>{allowDelete ? "Can delete" : "Cannot delete"}</Badge>
            </>
          ) : (
            <>
              <span className="font-medium wrap-anywhere">{client.name}</span>
              <Badge>No access</Badge>
            </>
          )}
        </p>
        <p className="text-muted wrap-anywhere">
          {KIND_WORDS[kind]}, {hostWords(own.connection)} ·{" "}
          {own.workspace ? reachWords(own.connection, own.workspace.name) : "You are no longer a member of its workspace"}
        </p>
        <p className="text-muted">
          Connected on {formatDate(createdAt)},{" "}
          {lastUsedAt ? (
            <>
              last used <TimeAgo at={lastUsedAt} />
            </>
          ) : (
            "not used yet"
          )}
        </p>
      </div>
      <Button size="sm" aria-label={`Disconnect ${client.name}`} onClick={onDisconnect}>
        Disconnect
      </Button>
    </li>
  );
}
