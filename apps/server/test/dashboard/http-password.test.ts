import { expect, test } from "vitest";
import { userActor } from "#domain/actor";
import { connectTool } from "#operations/connections/connect-tool";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode, RpcProblem } from "#test/dashboard-node";

const PASSWORD = "correct horse battery staple";

const node = closedAtEnd(
  await openDashboardNode({
    pages: false,
    attempts: { address: { ratePerSecond: 1_000, burst: 10_000 }, account: { ratePerSecond: 1 / 3_600, burst: 2 } },
  }),
);

test("whoever has only the session cannot find out the password by asking operations", async () => {
  const account = (await node.services.accounts.create({ email: "ada@example.com", name: "Ada", password: PASSWORD }))!;
  const cookie = await node.signIn(account);
  const { id: workspaceId } = await node.rpc(cookie, "create_workspace", { name: "Garden" });
  const client = { id: "client", name: "Claude", host: null, redirectHost: null };
  const { connection } = await node.call(connectTool, userActor(account.id), { kind: "ai", client, workspaces: workspaceId });
  const widen = async (password: string): Promise<number> => {
    try {
      await node.rpc(cookie, "change_connection", { workspaceId, connectionId: connection.id, publishPerHour: 31, password });
      return 200;
    } catch (error) {
      if (error instanceof RpcProblem) return error.problem.status;
      throw error;
    }
  };
  expect(await widen(PASSWORD)).toBe(200);
  await node.rpc(cookie, "change_connection", { workspaceId, connectionId: connection.id, publishPerHour: 1 });
  expect([await widen("a"), await widen("b"), await widen("c"), await widen(PASSWORD)]).toEqual([422, 422, 429, 429]);
  // Taking away never asks, so it is never refused for it.
  const narrowed = await node.rpc(cookie, "change_connection", { workspaceId, connectionId: connection.id, publishPerHour: 0 });
  expect(narrowed.publishPerHour).toBe(0);
});

test.each([
  ["/change-password", (password: string) => ({ currentPassword: password, newPassword: "another long password" })],
  ["/two-factor/disable", (password: string) => ({ password })],
  ["/two-factor/enable", (password: string) => ({ password })],
])("whoever has only the session cannot find out the password by trying %s", async (path, body) => {
  const email = `session${path.replaceAll("/", "-")}@example.com`;
  const cookie = await node.signIn((await node.services.accounts.create({ email, name: "Ada", password: PASSWORD }))!);
  const statuses = [];
  for (const password of ["wrong password", "wrong as well", "wrong once more", PASSWORD]) {
    const answer = await node.fetch(`/api/auth${path}`, {
      method: "POST",
      cookie,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body(password)),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([400, 400, 429, 429]);
});
