import type { ReactNode } from "react";
import { formatNumber, plural } from "../../lib/format.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { type ConnectionView, endedWords, hostWords, KIND_WORDS, reachWords } from "./connection-words.ts";

export function ConnectionFacts({ connection }: { connection: ConnectionView }) {
  const { workspace } = useWorkspaceContext();
  const { grantedBy, isOwn, lastUsedAt, endedAt } = connection;
  const perHour = plural(connection.publishPerHour, "publication");
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Client", `${KIND_WORDS[connection.kind]}, ${hostWords(connection)}`],
    ["Acts for", isOwn ? "You, within your role" : `${grantedBy.name ?? "A deleted account"}, within their role`],
    ["Workspaces", reachWords(connection, workspace.name)],
    ["Deleting", connection.allowDelete ? "Allowed: posts and images go to the trash" : "Not allowed"],
    ["Publishing", connection.publishPerHour === 0 ? "Not allowed" : `Up to ${perHour} per hour, and the same number of removals`],
    ["Connected", formatDateTime(connection.createdAt)],
    ["Last used", lastUsedAt ? <TimeAgo key="last" at={lastUsedAt} /> : "Not yet"],
    ["Calls", formatNumber(connection.calls)],
    ...(endedAt ? [["Disconnected", `${formatDateTime(endedAt)}${endedWords(connection)}`] as const] : []),
  ];
  return (
    <dl className="grid grid-cols-2 lg:grid-cols-4 gap-x-6 gap-y-4 rounded-card border border-line bg-surface px-5 py-4 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-[0.8125rem] text-muted">{name}</dt>
          <dd className="mt-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
