import { clientLabel } from "#domain/client-name";
import type { GrantId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Services } from "../../kernel/services.ts";
import { emailConnectionEnded } from "./email-connection-ended.ts";

/**
 * Ends a connection of which a token or a code was shown a second time: one of the two who have it copied it, and nobody knows
 * which. Every workspace that it reached has it in its log, and the person who connected it gets an email.
 */
export async function endAfterTokenReuse(services: Services, id: GrantId): Promise<void> {
  const { connections, platform, notices, clock } = services;
  const at = timestamp(clock());
  const connection = (await connections.revoke(id, at)) ? await connections.get(id) : null;
  if (!connection) return;
  const mine = await platform.workspaces.listFor(connection.userId);
  const reached = mine.filter((workspace) => connection.workspaces === "all" || connection.workspaces === workspace.id);
  for (const workspace of reached) {
    await notices.tell({
      workspaceId: workspace.id,
      websiteId: null,
      job: "sign-in",
      at,
      kind: "tool_token_copied",
      target: { id, label: clientLabel(connection) },
      details: {},
      key: id,
    });
  }
  const [first] = reached;
  if (first) await emailConnectionEnded(services, connection, first, "shown twice");
}
