import { refOf, userActor } from "#domain/actor";
import { clientLabel } from "#domain/client-name";
import type { UserId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Services } from "../../kernel/services.ts";
import { writeActivity } from "../../kernel/write-activity.ts";
import { disconnect } from "../disconnect.ts";

/**
 * Ends every connection of a person, for whoever takes the account over (adapters/accounts/unverified-accounts.ts). Each workspace that one of
 * them reached has it in its log, as done by the person: its admins would otherwise find a tool that stopped for no reason.
 */
export async function disconnectAll(
  services: Pick<Services, "connections" | "platform" | "clock" | "activityLines">,
  userId: UserId,
): Promise<void> {
  const { connections, platform, clock } = services;
  const call = { services, by: refOf(userActor(userId)), now: timestamp(clock()) };
  const workspaces = await platform.workspaces.listFor(userId);
  for (const connection of await connections.listOf(userId)) {
    const { id, workspaces: reach } = connection;
    if (!(await connections.revoke(id, call.now))) continue;
    for (const { id: workspaceId } of workspaces.filter((each) => reach === "all" || reach === each.id)) {
      await writeActivity(call, disconnect.name, {
        workspaceId,
        target: { id, label: clientLabel(connection) },
        details: { reason: "address proved" },
      });
    }
  }
}
