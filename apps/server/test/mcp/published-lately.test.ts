import { beforeAll, expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import { openClient, type TestClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let claude: TestClient;

const titles = async (query: Record<string, unknown>): Promise<string[]> => {
  const { data } = await claude.call("list_posts", { titleContains: "issue", ...query });
  return (data.posts as { title: string }[]).map(({ title }) => title);
};
async function published(title: string, more: Record<string, unknown>): Promise<string> {
  const { data } = await claude.call("create_post", { title, ...more });
  await claude.call("publish_post", { post: data.post.id, expectedVersion: 1 });
  return data.post.id as string;
}

beforeAll(async () => {
  claude = await openClient(node, (await connect(node, (await node.makeTenant()).owner)).accessToken);
  await claude.call("save_category", { name: "News" });
  await published("Old issue", { publishedAt: "2026-01-10T00:00:00Z" });
  const newest = await published("New issue", { publishedAt: "2026-10-10T00:00:00Z", categories: ["News"] });
  await published("Middle issue", { publishedAt: "2026-05-10T00:00:00Z", categories: ["News"] });
  await claude.call("create_post", { title: "Coming issue" });
  const gone = await published("Withdrawn issue", { publishedAt: "2026-06-10T00:00:00Z" });
  await claude.call("unpublish_post", { post: gone, expectedVersion: 2 });
  // Edited last, so that no other order is the same by chance.
  await claude.call("update_post", { post: newest, expectedVersion: 2, excerpt: "Soon." });
  return () => claude.close();
});

test("what was published lately comes in the order in which it appeared, page by page, and nothing else does", async () => {
  expect(await titles({ sort: "-publishedAt" })).toEqual(["New issue", "Middle issue", "Old issue"]);
  expect(await titles({ sort: "publishedAt", statuses: ["published"] })).toEqual(["Old issue", "Middle issue", "New issue"]);
  expect(await titles({ sort: "-publishedAt", category: "news" })).toEqual(["New issue", "Middle issue"]);
  const first = await claude.call("list_posts", { sort: "-publishedAt", limit: 1 });
  expect(first.text).toMatch(/^post_\w+ v3 published 2026-10-10 "New issue" .*\nMore: call again with cursor /);
  const next = await claude.call("list_posts", { sort: "-publishedAt", limit: 1, cursor: first.data.nextCursor });
  expect(next.data.posts[0].title).toBe("Middle issue");
});

test("other states have no such moment, and to ask for them is refused instead of answered with nothing", async () => {
  const { text } = await claude.call("list_posts", { sort: "-publishedAt", statuses: ["draft", "published"] });
  expect(text).toMatch(/^VALIDATION_FAILED: sort by publication is for published posts only; leave out `statuses`, or sort by -editedAt\./);
});

test("what is not live yet, or waits for review, is asked for by itself", async () => {
  expect(await titles({ hasUnpublishedChanges: true })).toEqual(["New issue"]);
  expect(await titles({ waitsForReview: true })).toEqual([]);
});
