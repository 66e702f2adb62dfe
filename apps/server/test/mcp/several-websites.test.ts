import { beforeAll, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import { openClient, type TestClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let claude: TestClient;
let notes: string;
let diary: string;

/** A person at home in two workspaces, with a website in each and a second "Notes" in the other. */
beforeAll(async () => {
  const { owner, actor, workspace, website } = await node.makeTenant();
  const here = await node.call(registry.create_website, actor, { workspaceId: workspace.id, name: "Garden diary" });
  const other = await node.call(registry.create_workspace, actor, { name: "Other" });
  await node.services.platform.workspaces.setPlan(other.id, "team");
  const there = { workspaceId: other.id };
  notes = (await node.call(registry.create_website, actor, { ...there, name: "Notes" })).id;
  await node.call(registry.create_website, actor, { ...there, name: "notes" });
  diary = here.id;
  for (const [websiteId, title] of [
    [website.id, "Of the first"],
    [diary, "Of the diary"],
    [notes, "Of the notes"],
  ])
    await node.call(registry.create_post, actor, { websiteId, title });
  claude = await openClient(node, (await connect(node, owner)).accessToken);
  return () => claude.close();
});

test("none named: a question with their names, instead of a guess that writes into the wrong blog", async () => {
  const { isError, text } = await claude.call("create_post", { title: "Where?" });
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^VALIDATION_FAILED: This app has access to several websites: .*"Garden diary" \(site_\w+\).*\. Name one of them in "website"\.$/,
  );
  const context = await claude.call("get_context");
  expect(context.data).toMatchObject({ website: null, undoUrl: null });
  expect(context.data.workspaces.map((one: { websites: unknown[] }) => one.websites.length).toSorted()).toEqual([2, 2]);
  expect(context.text).toContain("Name one in `website`");
});

test("by name in whatever case, or by id", async () => {
  for (const website of [" garden DIARY ", diary]) {
    const { data } = await claude.call("list_posts", { website });
    expect(data.posts).toMatchObject([{ title: "Of the diary" }]);
  }
});

test("a name that two have, or nobody, is answered with those there are", async () => {
  expect((await claude.call("list_posts", { website: "Notes" })).text).toMatch(
    /^VALIDATION_FAILED: Several websites are called "Notes": .*site_\w+.*site_\w+.* Give the id instead\.$/,
  );
  expect((await claude.call("list_posts", { website: notes })).data.posts).toMatchObject([{ title: "Of the notes" }]);
  expect((await claude.call("list_posts", { website: "Diary" })).text).toMatch(
    /^NOT_FOUND: This app has no access to a website called "Diary"\. It has access to: .*"Garden diary"/,
  );
});

test("resources are walked from one website to the next, style guides first", async () => {
  // The library follows every cursor.
  const { resources } = await claude.client.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(uris.slice(0, 4).every((uri) => uri.endsWith("/style-guide"))).toBe(true);
  const titles = resources.slice(4).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(["Of the diary", "Of the first", "Of the notes"]);
});
