import { type Actor, toolActor } from "#domain/actor";
import { type Connection, DEFAULT_PUBLISH_PER_HOUR } from "#domain/connection";
import { Failure } from "#domain/failure";
import { type GrantId, newId, type UserId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Tenant, TestServices } from "#test/services";
import { registry } from "#operations/registry";
import type { UndoItem, UndoPage } from "#operations/connections/undo/undo-item";

/** A connected tool of the tenant's owner, as the MCP endpoint would let it act. */
export async function connectTestTool(services: TestServices, tenant: Tenant, change: Partial<Connection> = {}) {
  const { connection } = await services.call(registry.connect_tool, tenant.actor, {
    kind: "ai",
    client: { id: "test", name: "Test tool", host: null, redirectHost: null },
    workspaces: "all",
    allowDelete: change.allowDelete ?? true,
  });
  return { connection, actor: toolActor(tenant.owner.id, connection) };
}

/** A tool of this person that is connected, of which the log says nothing. */
export async function toolOf(services: Pick<TestServices, "connections">, userId: UserId, { allowDelete = false } = {}): Promise<Actor> {
  const grant = { id: newId("grant"), workspaces: "all" as const, allowDelete, publishPerHour: DEFAULT_PUBLISH_PER_HOUR };
  await services.connections.create({
    ...grant,
    userId,
    kind: "ai",
    client: { id: "test", name: "Test tool", host: null, redirectHost: null },
    createdAt: timestamp(new Date()),
    lastUsedAt: null,
    calls: 0,
    revokedAt: null,
  });
  return toolActor(userId, grant);
}

/** A call in the log, as the MCP endpoint writes it. */
export async function logCall(
  services: TestServices,
  tenant: Tenant,
  connectionId: GrantId,
  tool: string,
  target: { id: string; label: string },
  [before, after]: readonly [number | null, number],
): Promise<void> {
  await services.connections.log({
    id: newId("toolCall", services.now.getTime()),
    workspaceId: tenant.workspace.id,
    websiteId: tenant.website.id,
    connectionId,
    at: timestamp(services.now),
    tool,
    target,
    refusal: null,
    before,
    after,
  });
}

export interface Undone {
  readonly preview: readonly UndoItem[];
  readonly items: readonly UndoItem[];
}

/** Previews and runs an undo to its end, step by step as the dashboard does. */
export async function undoAll(services: TestServices, actor: Actor, tenant: Tenant, connectionId: string, since: string): Promise<Undone> {
  const input = { workspaceId: tenant.workspace.id, connectionId, since };
  const preview: UndoItem[] = [];
  const items: UndoItem[] = [];
  const first = await services.call(registry.preview_undo, actor, input);
  const { until } = first;
  preview.push(...first.items);
  for (let next = first.next; next;) {
    const page = await services.call(registry.preview_undo, actor, {
      ...input,
      until,
      phase: next.phase,
      cursor: next.cursor ?? undefined,
    });
    preview.push(...page.items);
    next = page.next;
  }
  let next: { phase: "posts" | "things"; cursor: string | null } | null = { phase: "posts", cursor: null };
  while (next) {
    const position = { phase: next.phase, cursor: next.cursor ?? undefined };
    const page: UndoPage = await services.call(registry.undo_connection, actor, { ...input, until, ...position });
    items.push(...page.items);
    next = page.next;
  }
  return { preview, items };
}

/** Whether the operation was done; a refusal is part of life. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
