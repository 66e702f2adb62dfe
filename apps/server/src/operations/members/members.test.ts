import type { Role } from "@stet/contract";
import { expect, test } from "vitest";
import { toolActor, userActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Scope } from "#operations/kernel/operation";
import type { Services } from "#operations/kernel/services";
import { createKey } from "#operations/keys/create-key";
import { changeRole } from "#operations/members/change-role";
import { inviteMember } from "#operations/members/invite-member";
import { leaveWorkspace } from "#operations/members/leave-workspace";
import { listMembers } from "#operations/members/list-members";
import { removeMember } from "#operations/members/remove-member";
import { getWorkspace } from "#operations/workspaces/get-workspace";
import { transferOwnership } from "#operations/workspaces/transfer-ownership";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const at = (tenant: Tenant) => ({ workspaceId: tenant.workspace.id });

async function rolesOf(tenant: Tenant): Promise<Record<string, Role>> {
  const members = await services.platform.members.list(tenant.workspace.id);
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
}

test("an admin changes roles, but never to or from owner", async () => {
  const tenant = await services.makeTenant();
  const [admin, author] = [await tenant.addMember("admin"), await tenant.addMember("author")];
  const change = await services.call(changeRole, admin, { ...at(tenant), userId: author.userId, role: "editor" });
  expect(change).toMatchObject({ previousRole: "author", member: { userId: author.userId, role: "editor" } });
  await expect(services.call(changeRole, admin, { ...at(tenant), userId: author.userId, role: "owner" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  await expect(services.call(changeRole, admin, { ...at(tenant), userId: tenant.owner.id, role: "editor" })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  expect(await rolesOf(tenant)).toEqual({ [tenant.owner.id]: "owner", [admin.userId]: "admin", [author.userId]: "editor" });
});

test("a new role acts on the next request", async () => {
  const tenant = await services.makeTenant();
  const admin = await tenant.addMember("admin");
  await services.call(changeRole, tenant.actor, { ...at(tenant), userId: admin.userId, role: "contributor" });
  await expect(services.call(changeRole, admin, { ...at(tenant), userId: admin.userId, role: "admin" })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
});

test("a removed member finds nothing on the next request; the owner cannot be removed", async () => {
  const tenant = await services.makeTenant();
  const [admin, editor] = [await tenant.addMember("admin"), await tenant.addMember("editor")];
  await services.call(removeMember, admin, { ...at(tenant), userId: editor.userId });
  await expect(services.call(getWorkspace, editor, at(tenant))).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(removeMember, admin, { ...at(tenant), userId: editor.userId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(removeMember, admin, { ...at(tenant), userId: tenant.owner.id })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
});

test("editors manage no members", async () => {
  const tenant = await services.makeTenant();
  const [editor, author] = [await tenant.addMember("editor"), await tenant.addMember("author")];
  const target = { ...at(tenant), userId: author.userId };
  await expect(services.call(removeMember, editor, target)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  await expect(services.call(changeRole, editor, { ...target, role: "editor" })).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
});

test("everyone but the owner can leave; a tool cannot leave for its owner", async () => {
  const tenant = await services.makeTenant();
  const contributor = await tenant.addMember("contributor");
  const tool = toolActor(contributor.userId, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  await expect(services.call(leaveWorkspace, tool, at(tenant))).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await services.call(leaveWorkspace, contributor, at(tenant));
  await expect(services.call(leaveWorkspace, contributor, at(tenant))).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(leaveWorkspace, tenant.actor, at(tenant))).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
    message: expect.stringContaining("Transfer"),
  });
  expect(await rolesOf(tenant)).toEqual({ [tenant.owner.id]: "owner" });
});

test("addresses are shown to those who manage members in person; others and tools see names", async () => {
  const tenant = await services.makeTenant();
  const [admin, author] = [await tenant.addMember("admin"), await tenant.addMember("author")];
  const emailsFor = async (actor: typeof tenant.actor) =>
    (await services.call(listMembers, actor, at(tenant))).map(({ userId, email }) => [userId, email !== null]);
  const [owner, everyone] = [tenant.owner.id, [tenant.owner.id, admin.userId, author.userId]];
  expect(await emailsFor(admin)).toEqual(expect.arrayContaining(everyone.map((id) => [id, true])));
  expect(await emailsFor(author)).toEqual(
    expect.arrayContaining([
      [owner, false],
      [admin.userId, false],
      [author.userId, true],
    ]),
  );
  const tool = toolActor(owner, { id: newId("grant"), workspaces: "all", allowDelete: false, publishPerHour: 30 });
  expect(await emailsFor(tool)).toEqual(expect.arrayContaining(everyone.map((id) => [id, false])));
});

test("ownership goes to a member, and the former owner becomes an admin", async () => {
  const tenant = await services.makeTenant();
  const author = await tenant.addMember("author");
  const stranger = await services.makeAccount();
  await expect(services.call(transferOwnership, tenant.actor, { ...at(tenant), userId: stranger.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(services.call(transferOwnership, tenant.actor, { ...at(tenant), userId: tenant.owner.id })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  await expect(services.call(transferOwnership, author, { ...at(tenant), userId: author.userId })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  await services.call(transferOwnership, tenant.actor, { ...at(tenant), userId: author.userId });
  expect(await rolesOf(tenant)).toEqual({ [tenant.owner.id]: "admin", [author.userId]: "owner" });
  await expect(
    services.call(transferOwnership, userActor(tenant.owner.id), { ...at(tenant), userId: tenant.owner.id }),
  ).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
});

test("two transfers at the same moment leave exactly one owner", async () => {
  const tenant = await services.makeTenant();
  const heirs = await Promise.all([1, 2, 3, 4].map(() => tenant.addMember("editor")));
  const results = await Promise.allSettled(
    heirs.map((heir) => services.call(transferOwnership, tenant.actor, { ...at(tenant), userId: heir.userId })),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(Object.values(await rolesOf(tenant)).filter((role) => role === "owner")).toHaveLength(1);
});

test("removing the heir while the ownership goes over never leaves the workspace without an owner", async () => {
  for (let round = 0; round < 5; round++) {
    const tenant = await services.makeTenant();
    const [admin, heir] = [await tenant.addMember("admin"), await tenant.addMember("editor")];
    await Promise.allSettled([
      services.call(removeMember, admin, { ...at(tenant), userId: heir.userId }),
      services.call(transferOwnership, tenant.actor, { ...at(tenant), userId: heir.userId }),
    ]);
    expect(Object.values(await rolesOf(tenant)).filter((role) => role === "owner")).toHaveLength(1);
  }
});

test.each([
  ["invite_member", inviteMember, (tenant: Tenant) => ({ ...at(tenant), email: "back@example.org", role: "admin" })],
  ["change_role", changeRole, (tenant: Tenant, accomplice: string) => ({ ...at(tenant), userId: accomplice, role: "admin" })],
  ["create_key", createKey, (tenant: Tenant) => ({ websiteId: tenant.website.id, name: "Kept" })],
] as const)("%s of an admin who is removed while it waits for the workspace leaves nothing behind", async (_, operation, inputFor) => {
  const tenant = await services.makeTenant();
  const [admin, accomplice] = [await tenant.addMember("admin"), await tenant.addMember("author")];
  const waiting: Services = {
    ...services,
    platform: {
      ...services.platform,
      async locked(workspaceId, work) {
        await services.call(removeMember, tenant.actor, { ...at(tenant), userId: admin.userId });
        return services.platform.locked(workspaceId, work);
      },
    },
  };
  const input = inputFor(tenant, accomplice.userId);
  await expect(execute<Scope, unknown, unknown>(waiting, operation as never, admin, input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await rolesOf(tenant)).toEqual({ [tenant.owner.id]: "owner", [accomplice.userId]: "author" });
  expect(await services.platform.invitations.listOpen(tenant.workspace.id, timestamp(services.now))).toEqual([]);
  expect(await services.platform.keys.countLive(tenant.website.id)).toBe(0);
});
