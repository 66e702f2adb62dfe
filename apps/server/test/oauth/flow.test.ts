import { afterAll, beforeAll, expect, test } from "vitest";
import { type DashboardNode, openDashboardNode } from "#test/dashboard-node";
import { connect } from "./sign-in.ts";

let node: DashboardNode;
beforeAll(async () => {
  node = await openDashboardNode({ pages: false });
});
afterAll(() => node.stop());

test("a program registers, asks, is allowed and gets a token that stands for the connection", async () => {
  const { owner, workspace } = await node.makeTenant();
  const { connection, accessToken } = await connect(node, owner, { workspaces: workspace.id });
  expect(connection).toMatchObject({ userId: owner.id, workspaces: workspace.id, allowDelete: false, kind: "ai" });
  expect((await node.accessTokens.find(accessToken))?.connection.id).toBe(connection.id);
});
