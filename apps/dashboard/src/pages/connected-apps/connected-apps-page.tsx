import { Bot } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import { useWorkspace } from "../../shell/place.tsx";
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
  const { workspace, may } = useWorkspace();
  const list = useOp("list_connections", { workspaceId: workspace.id }, { refetchInterval: LOOK_AGAIN_MILLIS });
  return (
    <Page
      title="Connected apps"
      description={
        may("connection.manage")
          ? "Assistants and scripts that act for the members of this workspace, each within what its owner allowed and may do."
          : "Assistants and scripts that act for you, within what you allow and may do yourself."
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
            <EmptyState icon={Bot} title="No assistant is connected">
              An assistant such as Claude can list, write and publish posts for you. It never reaches settings, keys, members or the plan,
              and whatever it changes can be undone here.
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
            <section aria-label="No longer connected" className="flex flex-col gap-3">
              <h2 className="text-[0.9375rem] font-semibold">No longer connected</h2>
              <p className="-mt-2 text-sm text-muted">What they did here can be looked at, and undone, for 90 days.</p>
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
