import { expect, test } from "vitest";
import type { WebsiteId } from "#domain/ids";
import { setupToken } from "#operations/without-actor/setup";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { problemOf } from "#test/delivery-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));

const post = (path: string, body: unknown) =>
  node.fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(";")[0]!;

const SETUP = {
  name: "Ada",
  email: "ada@example.com",
  password: "correct horse battery",
  workspaceName: "Press",
  websiteName: "Journal",
  samplePosts: true,
  timeZone: "Europe/Lisbon",
};

test("an empty install says so to everyone", async () => {
  const answer = await node.fetch("/api/install");
  expect(await answer.json()).toEqual({ data: { needsSetup: true, signups: "invited", mail: false, version: expect.any(String) } });
});

test("without the token of the link nobody becomes the owner", async () => {
  for (const token of ["", "guess", setupToken(node.services).toUpperCase(), null, 7]) {
    expect((await post("/api/setup", { ...SETUP, token })).status, String(token)).toBe(404);
  }
  const faulty = await post("/api/setup", { ...SETUP, token: setupToken(node.services), password: "short", workspaceName: "" });
  expect(faulty.status).toBe(422);
  const { errors } = await problemOf(faulty);
  expect(errors?.map((error) => error.field).toSorted()).toEqual(["password", "workspaceName"]);
  expect(await node.services.platform.workspaces.isEmptyInstall()).toBe(true);
});

test("of two at once one becomes the owner, signed in, with a website, sample posts and a key; then the link is void", async () => {
  const token = setupToken(node.services);
  // Someone came half way before: the account is there, the workspace is not.
  await node.services.accounts.create(SETUP);
  const answers = await Promise.all([post("/api/setup", { ...SETUP, token }), post("/api/setup", { ...SETUP, token })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  const answer = answers.find(({ status }) => status === 200)!;
  const { data } = (await answer.json()) as { data: { workspaceId: string; websiteId: string; key: string } };
  const session = await node.fetch("/api/session", { cookie: cookieOf(answer) });
  expect(await session.json()).toMatchObject({
    data: {
      user: { email: SETUP.email },
      workspaces: [
        { id: data.workspaceId, name: "Press", plan: "unlimited", role: "owner", websites: [{ id: data.websiteId, name: "Journal" }] },
      ],
    },
  });
  const at = { websiteId: data.websiteId as WebsiteId };
  expect((await node.rpc(cookieOf(answer), "get_website", at)).settings.timeZone).toBe("Europe/Lisbon");
  const posts = await fetch(`${node.url}/v1/blog/posts`, { headers: { Authorization: `Bearer ${data.key}` } });
  expect(((await posts.json()) as { data: unknown[] }).data).toHaveLength(12);
  expect(await (await node.fetch("/api/install")).json()).toMatchObject({ data: { needsSetup: false } });
  expect((await post("/api/setup", { ...SETUP, token, email: "eve@example.com" })).status).toBe(404);
});

test("the next workspace starts on the free plan, whoever makes it, and nobody can ask for another one", async () => {
  const cookie = await node.signIn((await node.services.accounts.findByEmail(SETUP.email))!);
  expect(await node.rpc(cookie, "create_workspace", { name: "Second" })).toMatchObject({ plan: "free" });
  for (const plan of ["unlimited", "team"] as const)
    await expect(node.rpc(cookie, "create_workspace", { name: "Third", plan })).rejects.toThrow("INSUFFICIENT_ROLE");
  expect(await node.rpc(cookie, "create_workspace", { name: "Fourth" })).toMatchObject({ plan: "free" });
});

test("where the operator named a default plan, the setup link makes a workspace on it", async () => {
  const hosted = await openDashboardNode({ pages: false, defaultPlan: "starter" });
  const answer = await hosted.fetch("/api/setup", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...SETUP, samplePosts: false, token: setupToken(hosted.services) }),
  });
  const session = await hosted.fetch("/api/session", { cookie: cookieOf(answer) });
  expect(await session.json()).toMatchObject({ data: { workspaces: [{ name: "Press", plan: "starter", role: "owner" }] } });
  await hosted.stop();
});

test("an invitation shows what it offers, makes the account for the invited address, signs in and serves once", async () => {
  const tenant = await node.makeTenant();
  const cookie = await node.signIn(tenant.owner);
  const { link } = await node.rpc(cookie, "invite_member", {
    workspaceId: tenant.workspace.id,
    email: "New.Person@example.com",
    role: "editor",
  });
  const token = link.split("/").at(-1)!;
  expect(await (await node.fetch(`/api/invitations/${token}`)).json()).toMatchObject({
    data: {
      workspaceName: tenant.workspace.name,
      inviterName: tenant.owner.name,
      role: "editor",
      email: "new.person@example.com",
      hasAccount: false,
    },
  });
  const short = await post(`/api/invitations/${token}/sign-up`, { name: "New", password: "short" });
  expect(short.status).toBe(422);
  const answer = await post(`/api/invitations/${token}/sign-up`, { name: "New", password: "correct horse battery" });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ data: { workspaceId: tenant.workspace.id, role: "editor" } });
  const session = await node.fetch("/api/session", { cookie: cookieOf(answer) });
  expect(await session.json()).toMatchObject({ data: { user: { name: "New" }, workspaces: [{ role: "editor" }] } });
  expect((await node.fetch(`/api/invitations/${token}`)).status).toBe(404);
  expect((await post(`/api/invitations/${token}/sign-up`, { name: "Eve", password: "correct horse battery" })).status).toBe(404);
});

test("whoever has an account cannot be given another password by an invitation, and a made-up token is not there", async () => {
  const tenant = await node.makeTenant();
  const someone = await node.makeAccount();
  const { link } = await node.rpc(await node.signIn(tenant.owner), "invite_member", {
    workspaceId: tenant.workspace.id,
    email: someone.email,
    role: "author",
  });
  const token = link.split("/").at(-1)!;
  expect(await (await node.fetch(`/api/invitations/${token}`)).json()).toMatchObject({ data: { hasAccount: true } });
  expect((await post(`/api/invitations/${token}/sign-up`, { name: "Eve", password: "correct horse battery" })).status).toBe(409);
  expect((await node.fetch(`/api/invitations/${"x".repeat(43)}`)).status).toBe(404);
});
