import { useQueries } from "@tanstack/react-query";
import { opOptions, useOp } from "../../api/hooks.ts";
import { useSession } from "../../api/session.ts";
import type { Output } from "../../api/wire.ts";
import type { ConnectionView } from "./connection-words.ts";

interface InWorkspace {
  readonly connection: ConnectionView;
  /** A workspace that the connection reaches: its calls are shown there, and it can be disconnected there. */
  readonly workspace: { readonly id: string; readonly name: string };
}

export type OwnConnection = InWorkspace | { readonly connection: Output<"list_left_connections">[number]; readonly workspace: null };

/** Connected apps that act for the person in any workspace, newest first. Each workspace is asked for its own; those that reach none come too. */
export function useOwnConnections() {
  const left = useOp("list_left_connections", {});
  const reaching = useReaching();
  const all: OwnConnection[] = [...reaching.connections, ...(left.data ?? []).map((connection) => ({ connection, workspace: null }))];
  return {
    connections: all.toSorted((a, b) => b.connection.createdAt.localeCompare(a.connection.createdAt)),
    isPending: reaching.isPending || left.isPending,
    error: reaching.error ?? (left.isLoadingError ? left.error : null),
    refetch: () => void Promise.all([reaching.refetch(), left.refetch()]),
  };
}

function useReaching() {
  const { workspaces } = useSession();
  return useQueries({
    queries: workspaces.map(({ id: workspaceId }) => opOptions("list_connections", { workspaceId })),
    combine: (answers) => {
      const found = new Map<string, InWorkspace>();
      answers.forEach(({ data }, index) => {
        for (const connection of data?.connections ?? []) {
          if (connection.isOwn && !found.has(connection.id)) found.set(connection.id, { connection, workspace: workspaces[index]! });
        }
      });
      return {
        connections: [...found.values()],
        isPending: answers.some(({ isPending }) => isPending),
        error: answers.find(({ isLoadingError }) => isLoadingError)?.error ?? null,
        refetch: () => Promise.all(answers.map((answer) => answer.refetch())),
      };
    },
  });
}
