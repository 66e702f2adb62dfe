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
  if (reach === "another") return "No longer this workspace";
  return isOwn ? "All your workspaces" : `All workspaces of ${grantedBy.name ?? "its owner"}`;
}

/** Who vouches for the name it gave itself. */
export const hostWords = ({ client }: ConnectionView): string =>
  client.host ? client.host : client.redirectHost ? `not verified, returns to ${client.redirectHost}` : "signed in by code";
