import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import { openClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));

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
  await expect.poll(() => lines(known.connection.id)).toBe(2);
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

test("what no database takes, named in a call, keeps neither that call nor others out of the log", async () => {
  const [one, other] = [await node.makeTenant(), await node.makeTenant()];
  const [first, second] = [await connect(node, one.owner), await connect(node, other.owner)];
  const [hand, neighbour] = [await openClient(node, first.accessToken), await openClient(node, second.accessToken)];
  await Promise.all([
    hand.call("preview_post", { website: one.website.id, post: "\u0000" }),
    hand.call("save_tag", { website: one.website.id, id: "\ud800\u0000", expectedVersion: 1, name: "a\u0000b" }),
    neighbour.call("list_posts", { website: other.website.id }),
  ]);
  const lines = async () => {
    const { rows } = await node.services.database.query<{ tool: string; target_id: string | null; refusal: string | null }>({
      text: "SELECT tool, target_id, refusal FROM tool_calls WHERE workspace_id = ANY ($1) ORDER BY tool",
      values: [[one.workspace.id, other.workspace.id]],
    });
    return rows;
  };
  await expect.poll(lines).toEqual([
    { tool: "list_posts", target_id: null, refusal: null },
    { tool: "preview_post", target_id: null, refusal: "VALIDATION_FAILED" },
    { tool: "save_tag", target_id: null, refusal: "VALIDATION_FAILED" },
  ]);
  await Promise.all([hand.close(), neighbour.close()]);
});
