import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Actor } from "#domain/actor";
import type { Connection } from "#domain/connection";
import { newId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Account } from "#ports/accounts";
import type { Mail } from "#ports/mailer";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { logCall } from "#test/connected-tool";
import { sendMails } from "#worker/mails/send-mails";
import { execute } from "../kernel/execute.ts";
import type { Services } from "../kernel/services.ts";
import { registry } from "../registry.ts";
import { endAfterTokenReuse } from "./helpers/end-after-token-reuse.ts";

const PASSWORD = "correct horse battery staple";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
/** An author with a password and a tool; owns nothing else here. */
let author: Extract<Actor, { type: "user" }>;
let account: Account;
let connection: Connection;
beforeAll(async () => {
  // Once: hashing a password takes a while by intention.
  account = (await services.accounts.create({ email: "ada@example.com", name: "Ada Author", password: PASSWORD }))!;
  author = { type: "user", userId: account.id };
});
beforeEach(async () => {
  tenant = await services.makeTenant();
  const { id: workspaceId } = tenant.workspace;
  await services.platform.members.add({ workspaceId, userId: author.userId, role: "author", joinedAt: account.createdAt });
  connection = await connect(author, "all");
});
afterEach(async () => {
  for (const { id } of await services.connections.listOf(author.userId)) await services.connections.revoke(id, timestamp(services.now));
});

async function connect(actor: Actor, workspaces: string): Promise<Connection> {
  const client = { id: "https://claude.example/c", name: "Claude", host: "claude.example", redirectHost: "claude.example" };
  return (await services.call(registry.connect_tool, actor, { kind: "ai", client, workspaces })).connection;
}

const named = () => ({ workspaceId: tenant.workspace.id, connectionId: connection.id });
const change = (actor: Actor, input: object) => services.call(registry.change_connection, actor, { ...named(), ...input });

test("everyone sees their own connections, owners and admins those of every member", async () => {
  const admin = await tenant.addMember("admin");
  const editor = await tenant.addMember("editor");
  const list = async (actor: Actor) => services.call(registry.list_connections, actor, { workspaceId: tenant.workspace.id });
  expect((await list(author)).connections).toEqual([
    {
      id: connection.id,
      kind: "ai",
      client: { name: "claude.example (“Claude”)", host: "claude.example", redirectHost: "claude.example" },
      grantedBy: { userId: author.userId, name: "Ada Author" },
      isOwn: true,
      reach: "all",
      allowDelete: false,
      publishPerHour: 30,
      createdAt: connection.createdAt,
      lastUsedAt: null,
      calls: 0,
      endedAt: null,
      endedBy: null,
    },
  ]);
  for (const manager of [admin, tenant.actor]) expect((await list(manager)).connections.map(({ isOwn }) => isOwn)).toEqual([false]);
  expect((await list(editor)).connections).toEqual([]);
  await expect(change(editor, { allowDelete: false })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a connection that was ended, or reaches the workspace no more, is still listed where it did something", async () => {
  await logCall(services, tenant, connection.id, "create_post", { id: newId("post"), label: "Post" }, [null, 1]);
  await services.call(registry.disconnect, author, named());
  const unused = await connect(author, "all");
  await services.call(registry.disconnect, author, { ...named(), connectionId: unused.id });
  const { connections, past } = await services.call(registry.list_connections, tenant.actor, { workspaceId: tenant.workspace.id });
  expect(connections).toEqual([]);
  expect(past.map(({ id, endedAt, endedBy }) => [id, endedAt !== null, endedBy])).toEqual([[connection.id, true, { name: "Ada Author" }]]);
  const calls = await services.call(registry.list_tool_calls, tenant.actor, named());
  expect(calls.items.map(({ tool, before, after }) => [tool, before, after])).toEqual([["create_post", null, 1]]);
});

test("narrowing needs no password and is done at once", async () => {
  await change(author, { allowDelete: true, password: PASSWORD });
  expect(await change(author, { allowDelete: false, publishPerHour: 5, reach: "this" })).toMatchObject({
    reach: "this",
    publishPerHour: 5,
  });
  expect(await services.connections.get(connection.id)).toMatchObject({
    allowDelete: false,
    publishPerHour: 5,
    workspaces: tenant.workspace.id,
  });
});

test.each([{ allowDelete: true }, { publishPerHour: 31 }, { reach: "all" }])("widening asks for the password: %o", async (more) => {
  await change(author, { reach: "this" });
  await expect(change(author, more)).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "password" }] });
  await expect(change(author, { ...more, password: "wrong" })).rejects.toMatchObject({ errors: [{ field: "password" }] });
  expect(await services.connections.get(connection.id)).toMatchObject({
    allowDelete: false,
    publishPerHour: 30,
    workspaces: tenant.workspace.id,
  });
  expect(await change(author, { ...more, password: PASSWORD })).toMatchObject(more);
});

test("an admin narrows a member's connection, and can neither widen it nor choose its workspaces", async () => {
  const admin = await tenant.addMember("admin");
  await change(author, { allowDelete: true, password: PASSWORD });
  expect(await change(admin, { allowDelete: false, publishPerHour: 0 })).toMatchObject({ allowDelete: false, publishPerHour: 0 });
  for (const more of [{ allowDelete: true, password: PASSWORD }, { publishPerHour: 1, password: PASSWORD }, { reach: "this" }]) {
    await expect(change(admin, more)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  }
});

test.each([
  ["of a member who has left", () => services.call(registry.leave_workspace, author, { workspaceId: tenant.workspace.id })],
  [
    "that was taken out of the workspace",
    async () => {
      const { id: elsewhere } = await services.call(registry.create_workspace, author, { name: "Elsewhere" });
      await services.call(registry.change_connection, author, { ...named(), workspaceId: elsewhere, reach: "this" });
    },
  ],
])("a connection %s is not for the admins here to end or to narrow, whatever it did here", async (_, leave) => {
  await logCall(services, tenant, connection.id, "create_post", { id: newId("post"), label: "Post" }, [null, 1]);
  await leave();
  const before = await services.connections.get(connection.id);
  await expect(services.call(registry.disconnect, tenant.actor, named())).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  await expect(change(tenant.actor, { publishPerHour: 0 })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  expect(await services.connections.get(connection.id)).toEqual(before);
  expect((await services.call(registry.list_tool_calls, tenant.actor, named())).items).toHaveLength(1);
  const { past } = await services.call(registry.list_connections, tenant.actor, { workspaceId: tenant.workspace.id });
  expect(past).toMatchObject([{ id: connection.id, reach: "another" }]);
});

test("two who change a connection at once do not give back what the other took", async () => {
  const results = await Promise.allSettled([change(author, { publishPerHour: 5 }), change(tenant.actor, { publishPerHour: 7 })]);
  const stored = await services.connections.get(connection.id);
  const won = results.filter((result) => result.status === "fulfilled").map((result) => result.value.publishPerHour);
  expect(won).toContain(stored!.publishPerHour);
});

test("an admin ends a member's connection, and the activity log says whose it was", async () => {
  const admin = await tenant.addMember("admin");
  await services.call(registry.disconnect, admin, named());
  expect((await services.connections.get(connection.id))!.revokedAt).not.toBeNull();
  const { items } = await services.call(registry.list_activity, tenant.actor, { workspaceId: tenant.workspace.id, action: "disconnect" });
  expect(items.map(({ target, details }) => [target?.label, details])).toEqual([
    ["claude.example (“Claude”)", { grantedBy: "Ada Author" }],
  ]);
  await expect(change(author, { allowDelete: false })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("whose tool was ended sees by whom, or that it was copied", async () => {
  const admin = await tenant.addMember("admin");
  const copied = await connect(author, tenant.workspace.id);
  for (const { id } of [connection, copied]) {
    await logCall(services, tenant, id, "create_post", { id: newId("post"), label: "Post" }, [null, 1]);
  }
  await services.call(registry.disconnect, admin, named());
  await endAfterTokenReuse(services, copied.id);
  const { past } = await services.call(registry.list_connections, author, { workspaceId: tenant.workspace.id });
  const { name } = (await services.accounts.get(admin.userId))!;
  expect(Object.fromEntries(past.map(({ id, endedBy }) => [id, endedBy]))).toEqual({ [connection.id]: { name }, [copied.id]: "copied" });
});

test("whoever is disconnected by an admin is written to, once; whoever disconnects their own tool is not", async () => {
  const admin = await tenant.addMember("admin");
  const letters: Mail[] = [];
  const send = async (mail: Mail) => void letters.push(mail);
  const mailing: Services = { ...services, clock: services.clock, mailer: { isConfigured: true, send } };
  await execute(mailing, registry.disconnect, admin, named());
  await execute(mailing, registry.disconnect, admin, named());
  await sendMails(mailing);
  expect(letters).toMatchObject([
    { to: "ada@example.com", subject: expect.stringMatching(/^claude\.example \(“Claude”\) was disconnected by Person \d+$/) as string },
  ]);
  expect(letters[0]!.text).toContain("It is disconnected in all your workspaces");
  expect(letters[0]!.text).toContain(`https://stet.test/w/${tenant.workspace.id}/connected-apps`);
  const own = await connect(author, "all");
  await execute(mailing, registry.disconnect, author, { ...named(), connectionId: own.id });
  expect(await sendMails(mailing)).toBe(0);
});

test("a connection into another workspace is not there, not even for whoever owns this one", async () => {
  const other = await services.makeTenant();
  const elsewhere = await connect(other.actor, other.workspace.id);
  for (const operation of [registry.disconnect, registry.list_tool_calls]) {
    await expect(services.call(operation, tenant.actor, { ...named(), connectionId: elsewhere.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});

test("an app whose one workspace its owner left is still listed to the owner, and can be disconnected", async () => {
  const limited = await connect(author, tenant.workspace.id);
  const list = async (actor: Actor) => (await services.call(registry.list_left_connections, actor, {})).map(({ id }) => id);
  const end = (actor: Actor) => services.call(registry.disconnect_left, actor, { connectionId: limited.id });
  expect(await list(author)).toEqual([]);
  await expect(end(author)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await services.call(registry.leave_workspace, author, { workspaceId: tenant.workspace.id });
  expect(await list(author)).toContain(limited.id);
  // Who else is there neither sees nor ends it.
  expect(await list(tenant.actor)).toEqual([]);
  await expect(end(tenant.actor)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await end(author);
  expect(await list(author)).not.toContain(limited.id);
  expect((await services.connections.get(limited.id))?.revokedAt).not.toBeNull();
});
