import { describe, expect, test, vi } from "vitest";
import { recordHash } from "#domain/oauth-record";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { openClient } from "#test/mcp/client";
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

describe("a call under way on one node when the owner presses Disconnect on the other", () => {
  /** A tool that is about to save a post while a statement of the test keeps it waiting. */
  async function atWork(holding: string) {
    const tenant = await node.makeTenant();
    const here = { websiteId: tenant.website.id };
    const { id: postId } = await node.call(registry.create_post, tenant.actor, { ...here, title: "Mine", body: "Text." });
    const tool = await connect(node, tenant.owner);
    const client = closedAtEnd(await openClient(node, tool.accessToken));
    const holder = await node.services.database.pool.connect();
    await holder.query("BEGIN");
    await holder.query(holding.replace("$website", `'${tenant.website.id}'`));
    const call = client.call("update_post", { website: tenant.website.id, post: postId, expectedVersion: 1, title: "The tool's" });
    await untilWaiting(1);
    const cookie = await beside.signIn(tenant.owner);
    const { id: connectionId } = tool.connection;
    return {
      call,
      disconnect: () => beside.rpc(cookie, "disconnect", { workspaceId: tenant.workspace.id, connectionId }),
      title: async () => (await node.call(registry.get_post, tenant.actor, { ...here, postId })).working.title,
      async letGo() {
        await holder.query("ROLLBACK");
        holder.release();
      },
    };
  }

  test("is refused where it has not saved yet", async () => {
    const { call, disconnect, title, letGo } = await atWork("LOCK TABLE posts IN ACCESS EXCLUSIVE MODE");
    await disconnect();
    await letGo();
    expect(await call).toMatchObject({ isError: true, text: expect.stringMatching(/^GRANT_FORBIDS: This app was disconnected/) as string });
    expect(await title()).toBe("Mine");
  });

  test("is waited for where it is saving: nothing is written after the answer", async () => {
    const { call, disconnect, title, letGo } = await atWork("SELECT FROM website_content WHERE website_id = $website FOR UPDATE");
    const disconnected = disconnect();
    // The save, and Disconnect behind it.
    await untilWaiting(2);
    await letGo();
    await disconnected;
    expect(await title()).toBe("The tool's");
    expect((await call).isError).toBe(false);
  });
});

/** Until as many statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await node.services.database.query<{ waiting: number }>({
        text: `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      });
      return rows[0]!.waiting >= count;
    },
    { timeout: 8_000, interval: 10 },
  );
}

test("strangers who use up an address on every node keep no good token out on any", async () => {
  const ask = (at: typeof node, bearer: string) =>
    fetch(`${at.url}/mcp`, {
      method: "POST",
      headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  const statuses = async (asked: Promise<Response>[]) => new Set((await Promise.all(asked)).map(({ status }) => status));
  const junk = () => nodes.flatMap((at) => Array.from({ length: 100 }, (_, n) => ask(at, `junk-${n}-${"x".repeat(40)}`)));
  expect(await statuses(junk())).toEqual(new Set([401, 429]));
  // Good calls behind junk that does not stop, on a node that has seen the token before and on one that has not.
  for (let round = 0; round < 2; round += 1) {
    const tool = await connectOne();
    const more = junk();
    expect(await statuses(nodes.map((at) => ask(at, tool.accessToken)))).toEqual(new Set([200]));
    await Promise.all(more);
  }
});
