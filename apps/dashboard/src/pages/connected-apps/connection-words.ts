import type { Output } from "../../api/wire.ts";

export type ConnectionView = Output<"list_connections">["connections"][number];

export const KIND_WORDS: Record<ConnectionView["kind"], string> = {
  ai: "Assistant",
  cli: "Command line",
  ci: "Script",
};

/** Where it may act, for whoever reads it. */
export function reachWords({ reach, isOwn, grantedBy }: ConnectionView, workspaceName: string): string {
  if (reach === "this") return workspaceName;
  if (reach === "another") return "None in this workspace";
  return isOwn ? "All your workspaces" : `All workspaces of ${grantedBy.name ?? "its owner"}`;
}

/** Who vouches for the name it gave itself. */
export function hostWords({ client, kind }: ConnectionView): string {
  if (client.host) return client.host;
  if (client.redirectHost) return `not verified, returns to ${client.redirectHost}`;
  return kind === "ci" ? "by token" : "signed in by code";
}

/** After the moment: who ended it, or why it ended by itself. */
export function endedWords({ endedBy }: ConnectionView): string {
  if (endedBy === null) return "";
  return endedBy === "copied" ? ", because one of its tokens was used twice and may have been copied" : `, by ${endedBy.name}`;
}
