import { expect, test } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import { createAccount } from "#operations/accounts/create-account";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));

test("a script's token works until its connection is ended, and the database does not hold it", async () => {
  const password = "correct horse battery";
  const { id } = await node.call(createAccount, systemActor("test"), { email: "ada@example.com", name: "Ada", password });
  const workspace = await node.call(createWorkspace, userActor(id), { name: "Garden" });
  const cookie = await node.signIn(id);
  const asked = { name: "Nightly build", workspaces: workspace.id };
  await expect(node.rpc(cookie, "create_ci_credential", { ...asked, password: "guessed" })).rejects.toThrow("password");
  const { token, connection } = await node.rpc(cookie, "create_ci_credential", { ...asked, password });
  expect(token).toMatch(/^stetci_[\w-]{43}\.[0-9a-f]{16}$/);
  expect(connection).toMatchObject({ kind: "ci", workspaces: workspace.id, allowDelete: false, client: { name: "Nightly build" } });
  const whoami = () => fetch(`${node.url}/api/cli/whoami`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await whoami()).status).toBe(200);
  expect((await node.accessTokens.find(token))?.connection.id).toBe(connection.id);
  const { rows } = await node.services.database.query<{ row: string }>({
    text: "SELECT r::text AS row FROM oauth_records r UNION ALL SELECT c::text FROM connections c UNION ALL SELECT a::text FROM activity a",
  });
  expect(rows.map(({ row }) => row).join()).not.toContain(token.slice("stetci_".length));
  // It is no refresh token, and nobody can trade it for anything.
  const traded = await fetch(`${node.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", client_id: "stet-cli", refresh_token: token }),
  });
  expect(traded.status).toBe(400);
  await node.rpc(cookie, "disconnect", { workspaceId: workspace.id, connectionId: connection.id });
  expect((await whoami()).status).toBe(401);
});
