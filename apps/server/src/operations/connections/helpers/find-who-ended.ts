import type { Connection } from "#domain/connection";
import type { UserId } from "#domain/ids";
import type { InWorkspace } from "../../kernel/operation.ts";

/**
 * For each connection that has ended, the person who ended it, by this workspace's log. Null: nobody, its token was used twice.
 * A connection that was ended in another workspace, or by the client itself, is not in this log.
 */
export async function findWhoEnded(
  { services, workspace }: InWorkspace,
  connections: readonly Connection[],
): Promise<ReadonlyMap<string, UserId | null>> {
  const targetIds = connections.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id);
  if (targetIds.length === 0) return new Map();
  const list = (action: string) =>
    services.platform.activity.list(workspace.id, { action, targetIds, after: null, limit: targetIds.length });
  const [ended, copied] = await Promise.all([list("disconnect"), list("tool_token_copied")]);
  return new Map([...ended.rows, ...copied.rows].map(({ target, actor }) => [target?.id ?? "", actor.userId]));
}
