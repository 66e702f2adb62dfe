import { afterAll, beforeAll, expect, test } from "vitest";
import { type DashboardNode, openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import { openClient } from "./client.ts";

let node: DashboardNode;
beforeAll(async () => {
  node = await openDashboardNode({ pages: false });
});
afterAll(() => node.stop());

test("a tool leaves no line in the log of a workspace that it does not reach, however its call is refused", async () => {
  const [victim, stranger] = [await node.makeTenant(), await node.makeTenant()];
  const [known, foreign] = [await connect(node, victim.owner), await connect(node, stranger.owner)];
  await node.services.connections.change(
    foreign.connection.id,
    { workspaces: "all", allowDelete: false, publishPerHour: 0 },
    foreign.connection,
  );
  const [hand, guest] = [await openClient(node, known.accessToken), await openClient(node, foreign.accessToken)];
  const website = victim.website.id;
  const post = "post_00000000000000000000000000";
  // The service knows the place from now on.
  await hand.call("list_posts", { website });

  await guest.call("list_posts", { website });
  await guest.call("list_posts", { website, cursor: "not one of ours" });
  await guest.call("upload_media", { website, url: "https://example.com/a.png", base64: "AAAA", alt: "" });
  await guest.call("upload_media", { website, base64: "%", filename: "a.png", alt: "" });
  await guest.call("update_post", { website, post: "no id", expectedVersion: 1, title: "x" });
  await guest.call("publish_post", { website, post, expectedVersion: 1 });
  // Lines are written in their order: when this one is there, so is whatever stood before it.
  await hand.call("list_posts", { website });
  await expect.poll(() => lines(known.connection.id), { timeout: 10_000 }).toBe(2);
  expect(await lines(foreign.connection.id)).toBe(0);
  await Promise.all([hand.close(), guest.close()]);

  async function lines(connectionId: string): Promise<number> {
    const { rowCount } = await node.services.database.query({
      text: "SELECT FROM tool_calls WHERE workspace_id = $1 AND connection_id = $2",
      values: [victim.workspace.id, connectionId],
    });
    return rowCount ?? 0;
  }
});
