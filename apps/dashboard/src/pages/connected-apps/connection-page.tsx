import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, SlidersHorizontal, Undo2, Unplug } from "lucide-react";
import { useState } from "react";
import { useAct, useOp, useRefreshOn } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";
import { CallLog } from "./call-log.tsx";
import { ConnectionFacts } from "./connection-facts.tsx";
import type { ConnectionView } from "./connection-words.ts";
import { LimitsDialog } from "./limits-dialog.tsx";
import { UndoDialog } from "./undo/undo-dialog.tsx";

const LOOK_AGAIN_MILLIS = 5_000;

export function ConnectionPage() {
  const { workspace } = useWorkspaceContext();
  const { connectionId } = useParams({ from: "/signed-in/w/$workspaceId/shell/connected-apps/$connectionId" });
  const list = useOp("list_connections", { workspaceId: workspace.id }, { refetchInterval: LOOK_AGAIN_MILLIS });
  // The connection is loaded again and again. One load that fails must not remove the page, least of all an open form.
  if (!list.data) return list.isError ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : <Loading />;
  const connection = [...list.data.connections, ...list.data.past].find(({ id }) => id === connectionId);
  return connection ? <Connection connection={connection} /> : <NotFound />;
}

function Connection({ connection }: { connection: ConnectionView }) {
  const { workspace } = useWorkspaceContext();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"limits" | "disconnect" | { undoSince: string | null } | null>(null);
  const disconnect = useAct("disconnect", { stale: ["list_connections"] });
  useRefreshOn(connection.calls, "list_tool_calls");
  const isLive = connection.endedAt === null && connection.reach !== "another";
  const { name } = connection.client;
  return (
    <Page
      title={name}
      description={
        <Link
          to="/w/$workspaceId/connected-apps"
          params={{ workspaceId: workspace.id }}
          className="flex w-fit items-center gap-1.5 hover:text-text"
        >
          <ArrowLeft aria-hidden className="size-4" /> All connected apps
        </Link>
      }
      actions={
        <>
          {!isLive && <Badge>{connection.endedAt ? "Disconnected" : "No longer has access to this workspace"}</Badge>}
          <Button onClick={() => setOpen({ undoSince: null })}>
            <Undo2 aria-hidden /> Undo changes …
          </Button>
          {isLive && (
            <>
              <Button onClick={() => setOpen("limits")}>
                <SlidersHorizontal aria-hidden /> Change access …
              </Button>
              <Button variant="danger-outline" onClick={() => setOpen("disconnect")}>
                <Unplug aria-hidden /> Disconnect …
              </Button>
            </>
          )}
        </>
      }
    >
      <ConnectionFacts connection={connection} />
      <CallLog connectionId={connection.id} onUndoFrom={(since) => setOpen({ undoSince: since })} />
      {open === "limits" && <LimitsDialog connection={connection} onClose={() => setOpen(null)} />}
      {typeof open === "object" && open && (
        <UndoDialog connection={connection} since={open.undoSince} canDisconnect={isLive} onClose={() => setOpen(null)} />
      )}
      <ConfirmDialog
        open={open === "disconnect"}
        onOpenChange={() => setOpen(null)}
        title={`Disconnect ${name}?`}
        action="Disconnect"
        onConfirm={async () => {
          await disconnect.mutateAsync({ workspaceId: workspace.id, connectionId: connection.id });
          toast.ok(`${name} is disconnected. Its next request is refused.`);
          await navigate({ to: "/w/$workspaceId/connected-apps", params: { workspaceId: workspace.id } });
        }}
      >
        Its next request is refused. Its changes stay and can still be undone.{" "}
        {!connection.isOwn &&
          connection.reach === "all" &&
          `This disconnects it from every workspace of ${connection.grantedBy.name ?? "its owner"}, who can reconnect it with less access.`}
      </ConfirmDialog>
    </Page>
  );
}
