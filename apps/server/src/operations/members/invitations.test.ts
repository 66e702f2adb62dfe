import { expect, test } from "vitest";
import { createKeyring } from "#adapters/keyring/keyring";
import { systemActor, toolActor, userActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { DAY } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { acceptInvitation } from "#operations/members/accept-invitation";
import { changeRole } from "#operations/members/change-role";
import { inviteMember } from "#operations/members/invite-member";
import { listInvitations } from "#operations/members/list-invitations";
import { removeMember } from "#operations/members/remove-member";
import { revokeInvitation } from "#operations/members/revoke-invitation";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant, TEST_SECRET } from "#test/services";

const services = closedAtEnd(await openTestServices());

async function invite(tenant: Tenant, email: string, role = "author", actor = tenant.actor) {
  const { invitation, link } = await services.call(inviteMember, actor, { workspaceId: tenant.workspace.id, email, role });
  return { invitation, link, token: link.split("/").at(-1)! };
}

test("an invited person joins once, with the role that was offered", async () => {
  const tenant = await services.makeTenant();
  const guest = await services.makeAccount();
  const { token, link, invitation } = await invite(tenant, ` ${guest.email.toUpperCase()} `, "editor");
  expect(link).toMatch(/^https:\/\/stet\.test\/invitations\/[\w-]{43}$/);
  expect(invitation).toMatchObject({ email: guest.email, role: "editor", acceptedAt: null });
  const joined = await services.call(acceptInvitation, userActor(guest.id), { token });
  expect(joined).toEqual({ workspaceId: tenant.workspace.id, workspaceName: tenant.workspace.name, role: "editor" });
  expect(await services.platform.members.role(tenant.workspace.id, guest.id)).toBe("editor");
  await expect(services.call(acceptInvitation, userActor(guest.id), { token })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("an accepted invitation is no way back in after the person was removed", async () => {
  const tenant = await services.makeTenant();
  const guest = await services.makeAccount();
  const { token } = await invite(tenant, guest.email);
  await services.call(acceptInvitation, userActor(guest.id), { token });
  await services.call(removeMember, tenant.actor, { workspaceId: tenant.workspace.id, userId: guest.id });
  await expect(services.call(acceptInvitation, userActor(guest.id), { token })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  expect(await services.platform.members.role(tenant.workspace.id, guest.id)).toBeNull();
});

test("accepting ten times at the same moment joins once", async () => {
  const tenant = await services.makeTenant();
  const guest = await services.makeAccount();
  const { token } = await invite(tenant, guest.email);
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => services.call(acceptInvitation, userActor(guest.id), { token })),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
});

test("an invitation can be accepted until the last moment of seven days, and is told to be expired after", async () => {
  const tenant = await services.makeTenant();
  const [early, late] = [await services.makeAccount(), await services.makeAccount()];
  const [first, second] = [await invite(tenant, early.email), await invite(tenant, late.email)];
  services.pass(7 * DAY - 1);
  await expect(services.call(acceptInvitation, userActor(early.id), { token: first.token })).resolves.toMatchObject({ role: "author" });
  services.pass(1);
  await expect(services.call(acceptInvitation, userActor(late.id), { token: second.token })).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
    message: expect.stringContaining("expired"),
  });
  expect(await services.call(listInvitations, tenant.actor, { workspaceId: tenant.workspace.id })).toEqual([]);
});

test("to everyone but the invited person the link leads nowhere", async () => {
  const tenant = await services.makeTenant();
  const [guest, other] = [await services.makeAccount(), await services.makeAccount()];
  const { token } = await invite(tenant, guest.email);
  await expect(services.call(acceptInvitation, userActor(other.id), { token })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(acceptInvitation, userActor(guest.id), { token: "x".repeat(43) })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(services.call(acceptInvitation, userActor(guest.id), { token: "short" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  await expect(services.call(acceptInvitation, systemActor("test"), { token })).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  const tool = toolActor(guest.id, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  await expect(services.call(acceptInvitation, tool, { token })).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  expect(await services.platform.members.role(tenant.workspace.id, guest.id)).toBeNull();
});

test("inviting an address again replaces the open invitation: the older link stops working", async () => {
  const tenant = await services.makeTenant();
  const guest = await services.makeAccount();
  const older = await invite(tenant, guest.email, "admin");
  const newer = await invite(tenant, guest.email, "contributor");
  const open = await services.call(listInvitations, tenant.actor, { workspaceId: tenant.workspace.id });
  expect(open.map(({ id }) => id)).toEqual([newer.invitation.id]);
  await expect(services.call(acceptInvitation, userActor(guest.id), { token: older.token })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(acceptInvitation, userActor(guest.id), { token: newer.token })).resolves.toMatchObject({
    role: "contributor",
  });
});

test("inviting one address many times at the same moment leaves one open invitation", async () => {
  const tenant = await services.makeTenant();
  await Promise.all(Array.from({ length: 8 }, () => invite(tenant, "somebody@example.org")));
  expect(await services.call(listInvitations, tenant.actor, { workspaceId: tenant.workspace.id })).toHaveLength(1);
});

test("a member cannot be invited, and nobody can be invited as owner", async () => {
  const tenant = await services.makeTenant();
  await expect(invite(tenant, tenant.owner.email)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  await expect(invite(tenant, "a@example.org", "owner")).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "role" }] });
  await expect(invite(tenant, "no address")).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "email" }] });
});

test("a withdrawn invitation cannot be accepted, and an accepted one cannot be withdrawn", async () => {
  const tenant = await services.makeTenant();
  const [first, second] = [await services.makeAccount(), await services.makeAccount()];
  const withdrawn = await invite(tenant, first.email);
  const ids = { workspaceId: tenant.workspace.id };
  await services.call(revokeInvitation, tenant.actor, { ...ids, invitationId: withdrawn.invitation.id });
  await expect(services.call(acceptInvitation, userActor(first.id), { token: withdrawn.token })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const accepted = await invite(tenant, second.email);
  await services.call(acceptInvitation, userActor(second.id), { token: accepted.token });
  await expect(services.call(revokeInvitation, tenant.actor, { ...ids, invitationId: accepted.invitation.id })).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
  });
});

test("open invitations fall with the authority of whoever sent them", async () => {
  const tenant = await services.makeTenant();
  const [removed, demoted] = [await tenant.addMember("admin"), await tenant.addMember("admin")];
  const ids = { workspaceId: tenant.workspace.id };
  await invite(tenant, "one@example.org", "admin", removed);
  await invite(tenant, "two@example.org", "admin", demoted);
  const kept = await invite(tenant, "three@example.org", "admin");
  await services.call(removeMember, tenant.actor, { ...ids, userId: removed.userId });
  await services.call(changeRole, tenant.actor, { ...ids, userId: demoted.userId, role: "editor" });
  const open = await services.call(listInvitations, tenant.actor, ids);
  expect(open.map(({ id }) => id)).toEqual([kept.invitation.id]);
});

test("the token is stored nowhere, only its keyed hash", async () => {
  const tenant = await services.makeTenant();
  const { token, invitation } = await invite(tenant, "secret@example.org");
  const { rows } = await services.database.query<{ row: string }>({
    text: "SELECT row_to_json(invitations)::text AS row FROM invitations UNION ALL SELECT row_to_json(activity)::text FROM activity",
  });
  expect(rows.filter(({ row }) => row.includes(invitation.id))).toHaveLength(2);
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
});

test("an invitation made under an older secret can still be accepted after the secret was rotated", async () => {
  const tenant = await services.makeTenant();
  const guest = await services.makeAccount();
  const { token } = await invite(tenant, guest.email);
  const rotated: Services = { ...services, keyring: createKeyring(["a new secret", TEST_SECRET]) };
  await expect(execute(rotated, acceptInvitation, userActor(guest.id), { token })).resolves.toMatchObject({ role: "author" });
});
