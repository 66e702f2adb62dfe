import { refOf, userActor } from "#domain/actor";
import { newId, type UserId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Services } from "../kernel/services.ts";
import { disconnect } from "./disconnect.ts";

/**
 * Ends every connection of a person, for whoever takes the account over (adapters/accounts/open-doors.ts). Each workspace that one of
 * them reached has it in its log, as done by the person: its admins would otherwise find a tool that stopped for no reason.
 */
export async function disconnectAll({ connections, platform, clock }: DisconnectServices, userId: UserId): Promise<void> {
  const now = clock();
  const at = timestamp(now);
  const workspaces = await platform.workspaces.listFor(userId);
  for (const { id, client, workspaces: reach } of await connections.listOf(userId)) {
    if (!(await connections.revoke(id, at))) continue;
    for (const workspace of workspaces.filter((each) => reach === "all" || reach === each.id)) {
      await platform.activity.append({
        id: newId("activity", now.getTime()),
        workspaceId: workspace.id,
        websiteId: null,
        at,
        actor: refOf(userActor(userId)),
        action: disconnect.name,
        target: { id, label: client.name },
        details: { reason: "address proved" },
        count: 1,
      });
    }
  }
}

type DisconnectServices = Pick<Services, "connections" | "platform" | "clock">;
