import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { closedAtEnd } from "#test/closed-at-end";
import { aMember, anEntry, anInvitation, aWebsite, aWorkspace, moment, settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);

test("an install is empty until the first workspace is made, and never again", async () => {
  const fresh = await openTestDatabase();
  const install = openPostgresPlatform(fresh);
  expect(await install.workspaces.isEmptyInstall()).toBe(true);
  const { workspace } = await settle(install);
  expect(await install.workspaces.isEmptyInstall()).toBe(false);
  await install.workspaces.markDeleted(workspace.id, moment());
  expect(await install.workspaces.isEmptyInstall()).toBe(false);
  await fresh.close();
});

test("a workspace is made together with its owner, or not at all", async () => {
  const workspace = aWorkspace();
  const owner = aMember(workspace.id);
  await platform.workspaces.create(workspace, owner);
  expect(await platform.workspaces.get(workspace.id)).toEqual(workspace);
  expect(await platform.members.role(workspace.id, owner.userId)).toBe("owner");
  await expect(platform.workspaces.create(workspace, aMember(workspace.id))).rejects.toThrow();
  expect(await platform.members.list(workspace.id)).toHaveLength(1);
});

test("renaming and changing the plan touch one workspace only", async () => {
  const one = await settle(platform);
  const other = await settle(platform);
  await platform.workspaces.rename(one.workspace.id, "Herald");
  await platform.workspaces.setPlan(one.workspace.id, "team");
  expect(await platform.workspaces.get(one.workspace.id)).toEqual({ ...one.workspace, name: "Herald", plan: "team" });
  expect(await platform.workspaces.get(other.workspace.id)).toEqual(other.workspace);
});

test("a person's workspaces come by name with the person's role, and nobody else's", async () => {
  const userId = newId("user");
  for (const [name, role] of [
    ["zebra", "editor"],
    ["Ärger", "admin"],
    ["beta", "author"],
  ] as const) {
    const { workspace } = await settle(platform, name);
    await platform.members.add(aMember(workspace.id, { userId, role }));
  }
  const gone = await settle(platform, "gone");
  await platform.members.add(aMember(gone.workspace.id, { userId, role: "admin" }));
  await platform.workspaces.markDeleted(gone.workspace.id, moment());
  await settle(platform, "somebody else's");
  const listed = await platform.workspaces.listFor(userId);
  expect(listed.map(({ name, role }) => [name, role])).toEqual([
    ["Ärger", "admin"],
    ["beta", "author"],
    ["zebra", "editor"],
  ]);
});

test("a deleted workspace is not there, for anything that is asked about it", async () => {
  const { workspace, website, owner } = await settle(platform);
  const invitation = anInvitation(workspace.id);
  await platform.invitations.create(invitation, "token of the deleted");
  await platform.activity.append(anEntry(workspace.id));
  await platform.workspaces.markDeleted(workspace.id, moment());
  await platform.workspaces.rename(workspace.id, "Herald");
  expect(await platform.workspaces.get(workspace.id)).toBeNull();
  expect(await platform.workspaces.listFor(owner)).toEqual([]);
  expect(await platform.members.role(workspace.id, owner)).toBeNull();
  expect(await platform.members.list(workspace.id)).toEqual([]);
  expect(await platform.websites.get(website.id)).toBeNull();
  expect(await platform.websites.list(workspace.id)).toEqual([]);
  expect(await platform.invitations.get(workspace.id, invitation.id)).toBeNull();
  expect(await platform.invitations.findByTokenHash("token of the deleted")).toBeNull();
  expect((await platform.activity.list(workspace.id, { after: null, limit: 10 })).rows).toEqual([]);
});

test("deleting twice keeps the first moment, from which the 30 days count", async () => {
  const { workspace, website } = await settle(platform);
  await platform.workspaces.markDeleted(workspace.id, moment(-7200));
  await platform.workspaces.markDeleted(workspace.id, moment());
  expect(await platform.websites.listDeletedBefore(moment(-7100), 100)).toContain(website.id);
  await platform.websites.erase(website.id);
  expect(await platform.workspaces.listDeletedBefore(moment(-7100), 100)).toContain(workspace.id);
});

test("a workspace is erased only after its websites, and leaves nothing behind", async () => {
  const { workspace, website } = await settle(platform);
  const kept = await settle(platform);
  await platform.activity.append(anEntry(workspace.id));
  await platform.invitations.create(anInvitation(workspace.id), "token of the erased");
  await database.query({ text: "INSERT INTO workspace_usage VALUES ($1, '2026-11', 5)", values: [workspace.id] });
  await platform.usage.recordWarning(workspace.id, "2026-11", 75);
  await platform.workspaces.markDeleted(workspace.id, moment(-9000));
  expect(await platform.workspaces.listDeletedBefore(moment(-8000), 100)).not.toContain(workspace.id);
  await expect(platform.workspaces.erase(workspace.id)).rejects.toThrow(/still has websites/);
  await platform.websites.erase(website.id);
  expect(await platform.workspaces.listDeletedBefore(moment(-8000), 100)).toContain(workspace.id);
  expect(await platform.workspaces.listDeletedBefore(moment(-9000), 100)).not.toContain(workspace.id);
  await platform.workspaces.erase(workspace.id);
  for (const table of ["members", "invitations", "activity", "workspace_usage", "usage_warnings", "websites"]) {
    const { rows } = await database.query({ text: `SELECT * FROM ${table} WHERE workspace_id = $1`, values: [workspace.id] });
    expect(rows, table).toEqual([]);
  }
  expect(await platform.workspaces.get(kept.workspace.id)).toEqual(kept.workspace);
});

test("the oldest deletions come first, at most as many as asked for", async () => {
  const made = [];
  for (const seconds of [-50_000, -70_000, -60_000]) {
    const { workspace, website } = await settle(platform);
    await platform.websites.erase(website.id);
    await platform.workspaces.markDeleted(workspace.id, moment(seconds));
    made.push(workspace.id);
  }
  expect(await platform.workspaces.listDeletedBefore(moment(-40_000), 2)).toEqual([made[1], made[2]]);
});

test("the counted requests of a month are the workspace's own", async () => {
  const { workspace } = await settle(platform);
  const other = await settle(platform);
  await database.query({ text: "INSERT INTO workspace_usage VALUES ($1, '2026-11', 41)", values: [workspace.id] });
  expect(await platform.usage.requests(workspace.id, "2026-11")).toBe(41);
  expect(await platform.usage.requests(workspace.id, "2026-10")).toBe(0);
  expect(await platform.usage.requests(other.workspace.id, "2026-11")).toBe(0);
});

test("text that is not ASCII, quoted or long comes back as it was", async () => {
  const name = `O'Brien "; DROP TABLE workspaces; -- ${"ü\u{1f600}".repeat(200)}`;
  const workspace = aWorkspace({ name });
  await platform.workspaces.create(workspace, aMember(workspace.id));
  const website = aWebsite(workspace.id, { name });
  await platform.websites.create(website);
  expect((await platform.workspaces.get(workspace.id))?.name).toBe(name);
  expect((await platform.websites.get(website.id))?.name).toBe(name);
});
