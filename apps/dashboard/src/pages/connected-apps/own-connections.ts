import { useQueries } from "@tanstack/react-query";
import { opOptions } from "../../api/hooks.ts";
import { useSession } from "../../api/session.ts";
import type { ConnectionView } from "./connection-words.ts";

export interface OwnConnection {
  readonly connection: ConnectionView;
  /** A workspace that the connection reaches: its calls are shown there, and it can be disconnected there. */
  readonly workspace: { readonly id: string; readonly name: string };
}

/** Connected apps that act for the person in any workspace, newest first. Each workspace is asked for its own. */
export function useOwnConnections() {
  const { workspaces } = useSession();
  return useQueries({
    queries: workspaces.map(({ id: workspaceId }) => opOptions("list_connections", { workspaceId })),
    combine: (answers) => {
      const found = new Map<string, OwnConnection>();
      answers.forEach(({ data }, index) => {
        for (const connection of data?.connections ?? []) {
          if (connection.isOwn && !found.has(connection.id)) found.set(connection.id, { connection, workspace: workspaces[index]! });
        }
      });
      return {
        connections: [...found.values()].toSorted((a, b) => b.connection.createdAt.localeCompare(a.connection.createdAt)),
        isPending: answers.some(({ isPending }) => isPending),
        error: answers.find(({ isLoadingError }) => isLoadingError)?.error ?? null,
        refetch: () => void Promise.all(answers.map((answer) => answer.refetch())),
      };
    },
  });
}
