import { beforeEach, expect, test } from "vitest";
import type { Connection, ToolCall } from "#domain/connection";
import { newId, type UserId, type WorkspaceId } from "#domain/ids";
import { HOUR, MINUTE, timestamp } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { openPostgresOauthRecords } from "./oauth-records.ts";

const services = closedAtEnd(await openTestServices());
let ownerId: UserId;
let workspaceId: WorkspaceId;
beforeEach(async () => {
  const { owner, workspace } = await services.makeTenant();
  ownerId = owner.id;
  workspaceId = workspace.id;
});

const AT = Date.parse("2026-11-15T09:00:30.250Z");

async function connect(change: Partial<Connection> = {}): Promise<Connection> {
  const connection: Connection = {
    id: newId("grant"),
    userId: ownerId,
    kind: "ai",
    client: { id: "https://claude.example/client.json", name: "Claude", host: "claude.example", redirectHost: "claude.example" },
    workspaces: "all",
    allowDelete: false,
    publishPerHour: 30,
    createdAt: timestamp(AT),
    lastUsedAt: null,
    calls: 0,
    revokedAt: null,
    ...change,
  };
  await services.connections.create(connection);
  return connection;
}

test("a connection is read as it was written, and changed at once", async () => {
  const connection = await connect();
  expect(await services.connections.get(connection.id)).toEqual(connection);
  expect(await services.connections.get(newId("grant"))).toBeNull();
  await services.connections.change(connection.id, { workspaces: workspaceId, allowDelete: true, publishPerHour: 3 });
  expect(await services.connections.get(connection.id)).toEqual({
    ...connection,
    workspaces: workspaceId,
    allowDelete: true,
    publishPerHour: 3,
  });
});

test("a workspace sees the connections of its members that reach it, and no others", async () => {
  const everywhere = await connect();
  const here = await connect({ workspaces: workspaceId });
  const elsewhere = await connect({ workspaces: newId("workspace") });
  const stranger = await services.makeAccount();
  await connect({ userId: stranger.id });
  expect((await services.connections.listInto(workspaceId)).map(({ id }) => id)).toEqual([here.id, everywhere.id]);
  expect((await services.connections.listOf(ownerId)).map(({ id }) => id)).toEqual([elsewhere.id, here.id, everywhere.id]);
});

test("ending a connection ends every record of it, and it is listed no more", async () => {
  const records = openPostgresOauthRecords(services.database);
  const connection = await connect();
  const record = {
    model: "AccessToken",
    payload: "{}",
    grantId: connection.id,
    userCodeHash: null,
    uidHash: null,
    expiresAt: null,
    consumedAt: null,
  };
  await records.upsert({ ...record, idHash: "one" });
  await records.upsert({ ...record, idHash: "other", grantId: "another" });
  const ending = [1, 2, 3].map(() => services.connections.revoke(connection.id, timestamp(AT)));
  expect((await Promise.all(ending)).filter(Boolean)).toHaveLength(1);
  expect(await records.find("AccessToken", "one")).toBeNull();
  expect(await records.find("AccessToken", "other")).not.toBeNull();
  expect(await services.connections.listOf(ownerId)).toEqual([]);
  expect((await services.connections.get(connection.id))?.revokedAt).toBe(timestamp(AT));
});

test("of many who consume a code at once exactly one does, and saving it again does not make it new", async () => {
  const records = openPostgresOauthRecords(services.database);
  const code = {
    model: "AuthorizationCode",
    idHash: newId("grant"),
    payload: "{}",
    grantId: null,
    userCodeHash: null,
    uidHash: null,
    expiresAt: 9,
    consumedAt: null,
  };
  await records.upsert(code);
  const won = await Promise.all([1, 2, 3, 4].map((at) => records.consume(code.model, code.idHash, at, 9)));
  expect(won.filter(Boolean)).toHaveLength(1);
  await records.upsert(code);
  expect((await records.find(code.model, code.idHash))?.consumedAt).not.toBeNull();
  expect(await records.forgetExpired(10, 100)).toBe(1);
});

test("calls are counted, and the last use is kept to the minute", async () => {
  const { id } = await connect();
  await services.connections.touch([{ id, at: timestamp(AT), calls: 2 }]);
  await services.connections.touch([{ id, at: timestamp(AT - HOUR), calls: 1 }]);
  expect(await services.connections.get(id)).toMatchObject({ calls: 3, lastUsedAt: "2026-11-15T09:00:00.000Z" });
});

test("the log pages newest first, tells changes from the rest, and forgets the old", async () => {
  const { id: connectionId } = await connect();
  const call = (minutes: number, change: Partial<ToolCall> = {}): ToolCall => ({
    id: newId("toolCall"),
    workspaceId,
    websiteId: null,
    connectionId,
    at: timestamp(AT + minutes * MINUTE),
    tool: "publish_post",
    target: { id: "post_1", label: "A post" },
    refusal: null,
    before: 1,
    after: 2,
    ...change,
  });
  const calls = [call(0), call(1, { refusal: "VERSION_CONFLICT", before: null, after: null }), call(2)];
  for (const each of calls) await services.connections.log(each);
  const first = await services.connections.listCalls(workspaceId, { after: null, limit: 2 });
  expect(first.rows).toEqual([calls[2], calls[1]]);
  expect((await services.connections.listCalls(workspaceId, { after: first.next, limit: 2 })).rows).toEqual([calls[0]]);
  const changes = await services.connections.listCalls(workspaceId, { onlyChanges: true, since: calls[1]!.at, after: null, limit: 9 });
  expect(changes.rows).toEqual([calls[2]]);
  expect(await services.connections.forgetCalls(timestamp(AT + 2 * MINUTE), 10)).toBe(2);
});

test("of many publications at once exactly as many are counted as are allowed, and one that failed is given back", async () => {
  const { id } = await connect();
  const since = timestamp(AT - HOUR);
  const spend = (minutes: number, limit = 3) =>
    services.connections.spend(id, "publish", {
      at: timestamp(AT + minutes * MINUTE),
      since: timestamp(AT + minutes * MINUTE - HOUR),
      limit,
    });
  const answers = await Promise.all([0, 0, 0, 0, 0, 0].map(() => spend(0)));
  expect(answers.filter(({ spent }) => spent !== null)).toHaveLength(3);
  expect(await services.connections.countSpent(id, "publish", since)).toBe(3);
  expect(await services.connections.countSpent(id, "takedown", since)).toBe(0);
  expect(await spend(1)).toEqual({ spent: null, freeAfter: timestamp(AT) });
  await services.connections.giveBack(id, "publish", answers.find(({ spent }) => spent !== null)!.spent!);
  expect((await spend(2)).spent).not.toBeNull();
  // With a lower limit more than one has to be forgotten first: the last of the first two.
  expect((await spend(3, 1)).freeAfter).toBe(timestamp(AT + 2 * MINUTE));
  expect((await spend(3, 0)).freeAfter).toBeNull();
  expect((await spend(60)).spent).not.toBeNull();
});
