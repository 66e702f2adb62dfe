import { expect, test } from "vitest";
import { recordHash } from "#domain/oauth-record";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { type ConnectedTool, connect, token } from "./sign-in.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const beside = closedAtEnd(await openDashboardNode({ pages: false, beside: node }));
const nodes = [node, beside];

const connectOne = async (): Promise<ConnectedTool> => connect(node, (await node.makeTenant()).owner);

const refresh = async (tool: ConnectedTool, value: string, at = node) => {
  const answer = await token(at, { grant_type: "refresh_token", client_id: tool.clientId, refresh_token: value });
  return { status: answer.status, ...((await answer.json()) as { refresh_token?: string; access_token?: string; error?: string }) };
};

/** How many refresh tokens of the connection could still be used. */
const liveTokens = async ({ connection }: ConnectedTool): Promise<number> => {
  const { rows } = await node.services.database.query<{ count: number }>({
    text: "SELECT count(*) FROM oauth_records WHERE model = 'RefreshToken' AND grant_id = $1 AND consumed_at IS NULL",
    values: [connection.id],
  });
  return rows[0]!.count;
};

const usedSecondsAgo = (value: string, seconds: number) =>
  node.services.database.query({
    text: "UPDATE oauth_records SET consumed_at = consumed_at - $2::bigint WHERE model = 'RefreshToken' AND id_hash = $1",
    values: [recordHash(value), seconds],
  });

test("a refresh token shown on two nodes at the same instant has one successor", async () => {
  const tool = await connectOne();
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => refresh(tool, tool.refreshToken, nodes[at % 2])));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
  expect(await liveTokens(tool)).toBe(1);
  for (const { access_token: access } of answers)
    for (const { accessTokens } of nodes) expect((await accessTokens.find(access!))?.connection.id).toBe(tool.connection.id);
});

test("a refresh token shown again within its grace is answered with the same successor, and starts no second chain", async () => {
  const tool = await connectOne();
  const first = await refresh(tool, tool.refreshToken);
  const second = await refresh(tool, first.refresh_token!);
  // The successor was used by now, and is handed out again as it is: it does not live on.
  const replayed = await refresh(tool, tool.refreshToken, beside);
  expect(replayed.refresh_token).toBe(first.refresh_token);
  expect((await refresh(tool, replayed.refresh_token!, beside)).refresh_token).toBe(second.refresh_token);
  expect(await liveTokens(tool)).toBe(1);
});

test("a successor that was handed out twice ends the connection when it is shown after its grace", async () => {
  const tool = await connectOne();
  const mine = await refresh(tool, tool.refreshToken);
  const copied = await refresh(tool, tool.refreshToken, beside);
  await refresh(tool, mine.refresh_token!);
  await usedSecondsAgo(mine.refresh_token!, 91);
  expect(await refresh(tool, copied.refresh_token!, beside)).toMatchObject({ status: 400, error: "invalid_grant" });
  expect((await node.services.connections.get(tool.connection.id))?.revokedAt).not.toBeNull();
  for (const { accessTokens } of nodes) expect(await accessTokens.find(mine.access_token!)).toBeNull();
});
