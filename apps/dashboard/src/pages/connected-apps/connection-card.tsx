import { Link } from "@tanstack/react-router";
import { Bot, SquareTerminal } from "lucide-react";
import { plural } from "../../lib/format.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { type ConnectionView, hostWords, KIND_WORDS, reachWords } from "./connection-words.ts";

/** One connection in the list; its page is one click away. */
export function ConnectionCard({ connection }: { connection: ConnectionView }) {
  const { workspace } = useWorkspaceContext();
  const Icon = connection.kind === "ai" ? Bot : SquareTerminal;
  const isPast = connection.endedAt !== null || connection.reach === "another";
  return (
    <li>
      <Link
        to="/w/$workspaceId/connected-apps/$connectionId"
        params={{ workspaceId: workspace.id, connectionId: connection.id }}
        className="flex h-full flex-col gap-3 rounded-card border border-line bg-surface px-5 py-4 hover:border-line-strong"
      >
        <span className="flex items-start gap-3">
          <span className="grid size-9 shrink-0 place-items-center rounded-control bg-info-soft text-info">
            <Icon aria-hidden className="size-5" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{connection.client.name}</span>
            <span className="block text-[0.8125rem] wrap-anywhere text-muted">
              {KIND_WORDS[connection.kind]} · {hostWords(connection)}
            </span>
          </span>
          {isPast ? (
            <Badge>{connection.endedAt ? "Disconnected" : "No access here"}</Badge>
          ) : (
            <Badge tone={connection.allowDelete ? "warn" : "neutral"}>{connection.allowDelete ? "Can delete" : "Cannot delete"}</Badge>
          )}
        </span>
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-muted">
          <span>{connection.isOwn ? "Yours" : `Connected by ${connection.grantedBy.name ?? "a deleted account"}`}</span>
          <span>{reachWords(connection, workspace.name)}</span>
          <span>
            {connection.lastUsedAt ? (
              <>
                Last used <TimeAgo at={connection.lastUsedAt} />
              </>
            ) : (
              "Not used yet"
            )}
          </span>
          <span>{plural(connection.calls, "call")}</span>
        </span>
      </Link>
    </li>
  );
}
