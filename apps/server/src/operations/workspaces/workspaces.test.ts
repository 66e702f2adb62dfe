import { expect, test, vi } from "vitest";
import { type Actor, systemActor, toolActor, userActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { createAccount } from "#operations/accounts/create-account";
import { getAccount } from "#operations/accounts/get-account";
import { getWebsite } from "#operations/websites/get-website";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { deleteWorkspace } from "#operations/workspaces/delete-workspace";
import { getWorkspace } from "#operations/workspaces/get-workspace";
import { listWorkspaces } from "#operations/workspaces/list-workspaces";
import { renameWorkspace } from "#operations/workspaces/rename-workspace";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";

const services = closedAtEnd(await openTestServices());

const OPERATOR = systemActor("command line");

test("only whoever runs the install makes accounts, one per address, and the password is kept as a hash", async () => {
  const input = { email: "Ada@Example.org", name: "Ada", password: "a long enough password" };
  const account = await services.call(createAccount, OPERATOR, input);
  expect(account).toMatchObject({ email: "ada@example.org", name: "Ada" });
  expect(await services.accounts.verifyPassword(account.id, input.password)).toBe(true);
  await expect(services.call(createAccount, OPERATOR, { ...input, email: "ada@example.ORG" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: "email" }],
  });
  await expect(services.call(createAccount, OPERATOR, { ...input, email: "b@example.org", password: "short" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: "password" }],
  });
  await expect(services.call(createAccount, userActor(account.id), input)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  const { rows } = await services.database.query<{ password: string }>({ text: `SELECT password FROM "account"` });
  expect(rows.every(({ password }) => !password.includes(input.password))).toBe(true);
});

test("whoever creates a workspace owns it, on the plan that new workspaces start on", async () => {
  const person = await services.makeAccount();
  const workspace = await services.call(createWorkspace, userActor(person.id), { name: "  The Daily  " });
  expect(workspace).toMatchObject({ name: "The Daily", plan: "free" });
  expect(await services.platform.members.role(workspace.id, person.id)).toBe("owner");
});

test("a workspace can be made for someone else only by whoever runs the install, who must name the owner", async () => {
  const [person, other] = [await services.makeAccount(), await services.makeAccount()];
  const made = await services.call(createWorkspace, OPERATOR, { name: "Made", ownerId: person.id });
  expect(await services.platform.members.role(made.id, person.id)).toBe("owner");
  await expect(services.call(createWorkspace, userActor(person.id), { name: "No", ownerId: other.id })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  for (const input of [{ name: "No" }, { name: "No", ownerId: newId("user") }]) {
    await expect(services.call(createWorkspace, OPERATOR, input)).rejects.toMatchObject({ errors: [{ field: "ownerId" }] });
  }
});

test.each(["", "   ", "x".repeat(121), "tab\there", "new\nline", "nul\u0000", "broken \ud800"])(
  "a name that is empty, too long or hides something is refused: %j",
  async (name) => {
    const person = await services.makeAccount();
    await expect(services.call(createWorkspace, userActor(person.id), { name })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      errors: [{ field: "name" }],
    });
  },
);

test("a tool sees only the workspaces of its grant, in its account and in the list", async () => {
  const person = await services.makeAccount();
  const actor = userActor(person.id);
  const first = await services.call(createWorkspace, actor, { name: "First" });
  const second = await services.call(createWorkspace, actor, { name: "Second" });
  await services.makeTenant();
  const narrow = toolActor(person.id, { id: newId("grant"), workspaces: second.id, allowDelete: false, publishPerHour: 30 });
  const wide = toolActor(person.id, { id: newId("grant"), workspaces: "all", allowDelete: false, publishPerHour: 30 });
  const idsFor = async (who: typeof actor) => [
    (await services.call(listWorkspaces, who, {})).map(({ id }) => id),
    (await services.call(getAccount, who, {})).workspaces.map(({ id }) => id),
  ];
  expect(await idsFor(actor)).toEqual([
    [first.id, second.id],
    [first.id, second.id],
  ]);
  expect(await idsFor(wide)).toEqual(await idsFor(actor));
  expect(await idsFor(narrow)).toEqual([[second.id], [second.id]]);
  await expect(services.call(getWorkspace, narrow, { workspaceId: first.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(createWorkspace, wide, { name: "Third" })).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
});

test("the websites of all one's workspaces come with one question, and a tool's are those of its grant", async () => {
  const [one, other, stranger] = [await services.makeTenant(), await services.makeTenant(), await services.makeTenant()];
  const { workspaceId } = other.website;
  await services.platform.members.add({ workspaceId, userId: one.owner.id, role: "editor", joinedAt: one.website.createdAt });
  const asked = vi.spyOn(services.platform.websites, "listOf");
  const listed = async (who: Actor) => (await services.call(listWorkspaces, who, {})).flatMap(({ websites }) => websites);
  expect((await listed(one.actor)).map(({ id }) => id).toSorted()).toEqual([one.website.id, other.website.id].toSorted());
  expect(asked).toHaveBeenCalledOnce();
  asked.mockRestore();
  const tool = toolActor(one.owner.id, { id: newId("grant"), workspaces: workspaceId, allowDelete: false, publishPerHour: 30 });
  expect(await listed(tool)).toEqual([other.website]);
  expect(await listed(stranger.actor)).toEqual([stranger.website]);
});

test("a job has no account and no workspaces of its own", async () => {
  await expect(services.call(getAccount, OPERATOR, {})).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  await expect(services.call(listWorkspaces, OPERATOR, {})).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
});

test("admins rename a workspace, editors do not", async () => {
  const tenant = await services.makeTenant();
  const [admin, editor] = [await tenant.addMember("admin"), await tenant.addMember("editor")];
  const ids = { workspaceId: tenant.workspace.id };
  await services.call(renameWorkspace, admin, { ...ids, name: "Renamed" });
  expect(await services.call(getWorkspace, editor, ids)).toMatchObject({ name: "Renamed", role: "editor" });
  await expect(services.call(renameWorkspace, editor, { ...ids, name: "Mine" })).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
});

test("only the owner deletes the workspace, and only by typing its name; then it is gone for everyone at once", async () => {
  const tenant = await services.makeTenant();
  const admin = await tenant.addMember("admin");
  const ids = { workspaceId: tenant.workspace.id };
  const confirmName = tenant.workspace.name;
  await expect(services.call(deleteWorkspace, admin, { ...ids, confirmName })).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  await expect(services.call(deleteWorkspace, tenant.actor, { ...ids, confirmName: "something else" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: "confirmName" }],
  });
  await services.call(deleteWorkspace, tenant.actor, { ...ids, confirmName });
  for (const actor of [tenant.actor, admin]) {
    await expect(services.call(getWorkspace, actor, ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(services.call(getWebsite, actor, { websiteId: tenant.website.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await services.call(listWorkspaces, actor, {})).toEqual([]);
  }
});
