import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { closedAtEnd } from "#test/closed-at-end";
import { aMember, anInvitation, moment, settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);

test("members come with the name and address of their account, in the order they joined", async () => {
  const { workspace, owner } = await settle(platform);
  const member = aMember(workspace.id, { role: "author", joinedAt: moment(5) });
  await database.query({
    text: `INSERT INTO "user" (id, name, email, "emailVerified") VALUES ($1, 'Ada', 'ada@example.com', false)`,
    values: [member.userId],
  });
  await platform.members.add(member);
  const listed = await platform.members.list(workspace.id);
  expect(listed.map(({ userId, name, email }) => ({ userId, name, email }))).toEqual([
    { userId: owner, name: "", email: "" },
    { userId: member.userId, name: "Ada", email: "ada@example.com" },
  ]);
  expect(listed[1]).toMatchObject(member);
});

test("a role holds in its workspace only, changes at once, and ends with the membership", async () => {
  const one = await settle(platform);
  const other = await settle(platform);
  const { userId } = aMember(one.workspace.id);
  await platform.members.add(aMember(one.workspace.id, { userId, role: "contributor" }));
  expect(await platform.members.role(one.workspace.id, userId)).toBe("contributor");
  expect(await platform.members.role(other.workspace.id, userId)).toBeNull();
  await platform.members.setRole(other.workspace.id, userId, "admin");
  expect(await platform.members.role(one.workspace.id, userId)).toBe("contributor");
  expect(await platform.members.role(other.workspace.id, userId)).toBeNull();
  await platform.members.setRole(one.workspace.id, userId, "admin");
  expect(await platform.members.role(one.workspace.id, userId)).toBe("admin");
  await platform.members.remove(other.workspace.id, userId);
  expect(await platform.members.role(one.workspace.id, userId)).toBe("admin");
  await platform.members.remove(one.workspace.id, userId);
  expect(await platform.members.role(one.workspace.id, userId)).toBeNull();
});

test("adding someone who is a member already leaves the role alone", async () => {
  const { workspace, owner } = await settle(platform);
  await platform.members.add(aMember(workspace.id, { userId: owner, role: "contributor" }));
  expect(await platform.members.role(workspace.id, owner)).toBe("owner");
});

test("an invitation is found by the hash of its token and by its id in its own workspace", async () => {
  const { workspace } = await settle(platform);
  const other = await settle(platform);
  const invitation = anInvitation(workspace.id);
  await platform.invitations.create(invitation, "hash 1");
  expect(await platform.invitations.findByTokenHash("hash 1")).toEqual(invitation);
  expect(await platform.invitations.findByTokenHash("hash 2")).toBeNull();
  expect(await platform.invitations.get(workspace.id, invitation.id)).toEqual(invitation);
  expect(await platform.invitations.get(other.workspace.id, invitation.id)).toBeNull();
});

test("open invitations are those neither accepted nor expired", async () => {
  const { workspace } = await settle(platform);
  const open = anInvitation(workspace.id);
  const accepted = anInvitation(workspace.id);
  const expired = anInvitation(workspace.id, { expiresAt: moment(60) });
  for (const [i, invitation] of [open, accepted, expired].entries()) await platform.invitations.create(invitation, `open ${i}`);
  await platform.invitations.markAccepted(workspace.id, accepted.id, moment(10));
  expect(await platform.invitations.listOpen(workspace.id, moment(59))).toEqual([open, expired]);
  expect(await platform.invitations.listOpen(workspace.id, moment(60))).toEqual([open]);
});

test("an invitation serves once, however many follow the link at once", async () => {
  const { workspace } = await settle(platform);
  const invitation = anInvitation(workspace.id);
  await platform.invitations.create(invitation, "hash of many");
  const results = await Promise.all(
    Array.from({ length: 10 }, () => platform.invitations.markAccepted(workspace.id, invitation.id, moment(1))),
  );
  expect(results.filter(Boolean)).toHaveLength(1);
  expect((await platform.invitations.get(workspace.id, invitation.id))?.acceptedAt).toBe(moment(1));
});

test("another workspace can neither accept nor withdraw an invitation", async () => {
  const { workspace } = await settle(platform);
  const other = await settle(platform);
  const invitation = anInvitation(workspace.id);
  await platform.invitations.create(invitation, "hash of wall");
  expect(await platform.invitations.markAccepted(other.workspace.id, invitation.id, moment())).toBe(false);
  await platform.invitations.delete(other.workspace.id, invitation.id);
  expect(await platform.invitations.get(workspace.id, invitation.id)).toEqual(invitation);
  await platform.invitations.delete(workspace.id, invitation.id);
  expect(await platform.invitations.findByTokenHash("hash of wall")).toBeNull();
});

test("a person who is in no workspace has no role anywhere", async () => {
  const { workspace } = await settle(platform);
  expect(await platform.members.role(workspace.id, newId("user"))).toBeNull();
  expect(await platform.members.role(newId("workspace"), newId("user"))).toBeNull();
});
