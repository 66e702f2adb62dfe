import { Bot } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { ConnectCard } from "./connect/connect-card.tsx";
import { ConnectionCard } from "./connection-card.tsx";
import { ScriptsCard } from "./scripts/scripts-card.tsx";

/** Somebody who connects an assistant waits for the sign that it worked. */
const LOOK_AGAIN_MILLIS = 3_000;

export function ConnectedAppsPage() {
  const { workspace, may } = useWorkspaceContext();
  const list = useOp("list_connections", { workspaceId: workspace.id }, { refetchInterval: LOOK_AGAIN_MILLIS });
  return (
    <Page
      title="Connected apps"
      description={
        may("connection.manage")
          ? "Assistants and scripts that act for members of this workspace, with the access each member gave them."
          : "Assistants and scripts that act for you, with the access you give them."
      }
    >
      {!list.data ? (
        list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Loading />
        )
      ) : (
        <>
          {list.data.connections.length === 0 ? (
            <EmptyState icon={Bot} title="No connected apps yet">
              An assistant such as Claude can list, write and publish posts for you. It has no access to settings, keys, members or the
              plan, and you can undo its changes here.
            </EmptyState>
          ) : (
            <ul aria-label="Connected apps" className="grid gap-4 lg:grid-cols-2">
              {list.data.connections.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
            </ul>
          )}
          <ConnectCard connections={list.data.connections.filter(({ kind }) => kind === "ai")} />
          <ScriptsCard />
          {list.data.past.length > 0 && (
            <section aria-label="Disconnected" className="flex flex-col gap-3">
              <h2 className="text-[0.9375rem] font-semibold">Disconnected</h2>
              <p className="-mt-2 text-sm text-muted">You can review and undo what they did for 90 days.</p>
              <ul className="grid gap-4 lg:grid-cols-2">
                {list.data.past.map((connection) => (
                  <ConnectionCard key={connection.id} connection={connection} />
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </Page>
  );
}
