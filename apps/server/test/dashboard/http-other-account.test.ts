import { expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { problemOf } from "#test/delivery-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));

/** Two people of one workspace; the browser has the session of the second, the page was opened by the first. */
async function twoPeople() {
  const tenant = await node.makeTenant();
  const member = await tenant.addMember("admin");
  const cookie = await node.signIn(member.userId);
  const send = (path: string, body: unknown, openedBy?: string) =>
    node.fetch(path, {
      method: "POST",
      cookie,
      headers: { "Content-Type": "application/json", ...(openedBy !== undefined && { "Stet-Opened-By": openedBy }) },
      body: JSON.stringify(body),
    });
  return { tenant, member, cookie, send };
}

test("a page that another account opened cannot change anything, and is told who is signed in", async () => {
  const { tenant, member, send } = await twoPeople();
  const { email } = (await node.services.accounts.get(member.userId))!;
  const rename = { workspaceId: tenant.workspace.id, name: "Renamed" };
  const problem = await problemOf(await send("/api/rpc/rename_workspace", rename, tenant.owner.id));
  expect(problem).toMatchObject({ status: 409, code: "OTHER_ACCOUNT", detail: expect.stringContaining(email) });
  const { name } = await node.call(registry.get_workspace, tenant.actor, { workspaceId: tenant.workspace.id });
  expect(name).not.toBe("Renamed");
  expect((await send("/api/rpc/rename_workspace", rename, member.userId)).status).toBe(200);
});

test("nor the account itself, nor upload an image", async () => {
  const { tenant, member, cookie, send } = await twoPeople();
  for (const [path, body] of [
    ["/api/auth/update-user", { name: "Mallory" }],
    ["/api/auth/sign-out", {}],
    ["/api/auth/revoke-other-sessions", {}],
    [`/api/websites/${tenant.website.id}/media?fileName=a.png`, {}],
  ] as const) {
    expect((await problemOf(await send(path, body, tenant.owner.id))).code, path).toBe("OTHER_ACCOUNT");
  }
  expect(await node.isSignedIn(cookie)).toBe(true);
  expect((await send("/api/auth/update-user", { name: "Grace" }, member.userId)).status).toBe(200);
});

test("a page from before this version names nobody, and works on", async () => {
  const { tenant, send } = await twoPeople();
  expect((await send("/api/rpc/get_workspace", { workspaceId: tenant.workspace.id })).status).toBe(200);
});

test("who is signed in is told to any page, and nobody signed in is told as such", async () => {
  const { tenant, member, cookie } = await twoPeople();
  const headers = { "Stet-Opened-By": tenant.owner.id };
  expect(await (await node.fetch("/api/session", { cookie, headers })).json()).toMatchObject({ data: { user: { id: member.userId } } });
  const unknown = await node.fetch("/api/rpc/get_account", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: "{}",
  });
  expect((await problemOf(unknown)).code).toBe("NOT_SIGNED_IN");
});
