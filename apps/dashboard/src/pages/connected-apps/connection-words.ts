import type { Output } from "../../api/wire.ts";

export type ConnectionView = Output<"list_connections">["connections"][number];

export const KIND_WORDS: Record<ConnectionView["kind"], string> = {
  ai: "Assistant",
  cli: "Command line",
  ci: "Script",
};

/** The workspaces in which the app can act, worded for its own person and for others. */
export function reachWords({ reach, isOwn, grantedBy }: ConnectionView, workspaceName: string): string {
  if (reach === "this") return workspaceName;
  if (reach === "another") return "None in this workspace";
  return isOwn ? "All your workspaces" : `All workspaces of ${grantedBy.name ?? "its owner"}`;
}

/** What is known of the app besides the name that it gave itself: who describes it, and where the access went. */
export function hostWords({ client, kind }: Pick<ConnectionView, "client" | "kind">): string {
  const { host, redirectHost } = client;
  if (redirectHost === null) return host ?? (kind === "ci" ? "by token" : "signed in by code");
  if (host === null) return `not verified, signs in through ${redirectHost}`;
  return redirectHost === host ? `from ${host}` : `from ${host}, signs in through ${redirectHost}`;
}

/** Follows the time at which the connection ended: who ended it, or why it ended by itself. */
export function endedWords({ endedBy }: ConnectionView): string {
  if (endedBy === null) return "";
  return endedBy === "copied" ? ", because one of its tokens was used twice and may have been copied" : `, by ${endedBy.name}`;
}
