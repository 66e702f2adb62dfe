import type { Connection } from "#domain/connection";
import type { Call } from "../../kernel/operation.ts";
import { userIdOf } from "../../kernel/user-id-of.ts";

/** Connections of the person that reach no workspace of theirs: they can do nothing, until the person is a member again. */
export async function leftConnections(call: Call): Promise<readonly Connection[]> {
  const { connections, platform } = call.services;
  const userId = userIdOf(call);
  const [own, workspaces] = await Promise.all([connections.listOf(userId), platform.workspaces.listFor(userId)]);
  return own.filter(({ workspaces: reach }) => !workspaces.some(({ id }) => reach === "all" || reach === id));
}
