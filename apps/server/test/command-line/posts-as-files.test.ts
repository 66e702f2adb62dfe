import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const BIN = new URL("../../../../packages/cli/src/bin.ts", import.meta.url).pathname;
const POSTS = process.env["STET_SOAK"] === "1" ? 500 : 60;

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const password = "correct horse battery";
const { id: userId } = await node.call(registry.create_account, systemActor("test"), { email: "ada@example.com", name: "Ada", password });
const actor = userActor(userId);
const workspace = await node.call(registry.create_workspace, actor, { name: "Garden" });
await node.services.platform.workspaces.setPlan(workspace.id, "unlimited");
const { token, connection } = await node.call(registry.create_ci_credential, actor, { name: "Laptop", workspaces: workspace.id, password });

let folder: string;
let websiteId: string;
let website: { id: string; version: number };
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-posts-"));
  website = await node.call(registry.create_website, actor, { workspaceId: workspace.id, name: "Blog" });
  websiteId = website.id;
});
afterEach(() => rm(folder, { recursive: true }));

async function stet(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      STET_URL: node.url,
      STET_TOKEN: token,
      HOME: folder,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  for (const secret of [token, env["STET_TOKEN"] ?? token]) expect(stdout + stderr).not.toContain(secret);
  return { code: code as number, said: stdout + stderr };
}
const pull = (into = "posts") => stet(["pull", into, "--website", websiteId]);
const push = (...more: string[]) => stet(["push", "posts", "--website", websiteId, ...more]);

const file = (name: string, of = "posts") => path.join(folder, of, name);
const edit = async (name: string, change: (before: string) => string) => writeFile(file(name), change(await readFile(file(name), "utf8")));
const filesOf = async (of = "posts"): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(path.join(folder, of)))
        .filter((name) => name.endsWith(".md"))
        .map(async (name) => [name, await readFile(file(name, of), "utf8")]),
    ),
  );
const create = (input: object) => node.call(registry.create_post, actor, { websiteId, ...input });
const read = (postId: string) => node.call(registry.get_post, actor, { websiteId, postId });
async function versions(): Promise<Record<string, number>> {
  const { rows } = await node.services.database.query<{ id: string; version: number }>({
    text: "SELECT id, version::int AS version FROM posts WHERE website_id = $1",
    values: [websiteId],
  });
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
}
const differing = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]).toSorted();

test(`${POSTS} posts pulled and pushed change no byte and make no save; of those, only what was edited changes`, async () => {
  await node.call(registry.set_field_definitions, actor, {
    websiteId,
    expectedVersion: website.version,
    fieldDefinitions: [
      { key: "mood", label: "Mood", type: "text" },
      { key: "extra", label: "Extra", type: "json" },
    ],
  });
  const category = await node.call(registry.create_term, actor, { websiteId, kind: "category", name: "News: today" });
  const BODIES = ["", "\n", "a", "a\n", "\n\na\n\n", "a\r\nb\r", "---\n\n# ä 😀\u2028\n", "x".repeat(150_000)];
  for (let at = 0; at < POSTS; at += 1) {
    const body = BODIES[at] ?? `Text ${at}\n`;
    await create({
      title: `Post ${at}: "it's" #${at}`,
      slug: `post-${at}`,
      body,
      categoryIds: at % 2 ? [category.id] : [],
      fields: { mood: `m\n${at}`, extra: [at, { a: null }] },
    });
  }
  expect(await pull()).toMatchObject({ code: 0, said: expect.stringContaining(`posts: ${POSTS} new.`) as string });
  const [before, saved] = [await filesOf(), await versions()];
  expect(Object.keys(before)).toHaveLength(POSTS);

  expect(await push("--yes")).toEqual({ code: 0, said: `posts: 0 to push, ${POSTS} unchanged. Nothing was pushed.\n` });
  expect(await pull()).toEqual({ code: 0, said: `posts: ${POSTS} unchanged.\n` });
  // Also where nothing is remembered, and after git gave some files the line ends of Windows.
  await rm(file(".stet.json"));
  await edit("post-9.md", (all) => all.replaceAll("\n", "\r\n"));
  expect(await push("--yes")).toEqual({ code: 0, said: `posts: 0 to push, ${POSTS} unchanged. Nothing was pushed.\n` });
  expect(await versions()).toEqual(saved);
  expect(differing(before, await filesOf())).toEqual(["post-9.md"]);

  const edited = Array.from({ length: POSTS / 10 }, (_, at) => `post-${at + 20}.md`);
  for (const name of edited) await edit(name, (all) => `${all}And more.\n`);
  await rm(file("post-12.md"));
  expect(await push("--dry-run")).toMatchObject({
    code: 0,
    said: expect.stringContaining("to update  post-20.md: body (draft)") as string,
  });
  expect(await push()).toMatchObject({ code: 1, said: expect.stringContaining("Add --yes") as string });
  expect(await versions()).toEqual(saved);
  expect(await push("--yes")).toMatchObject({ code: 0, said: expect.stringContaining(`${edited.length} updated`) as string });
  const changed = differing(saved, await versions());
  expect(changed).toHaveLength(edited.length);
  expect((await read(changed[0]!)).working.body).toMatch(/^Text \d+\n\nAnd more\.$/);

  expect(await pull()).toEqual({ code: 0, said: expect.stringMatching(/^new +post-12\.md\nposts: .*1 new/) as string });
  expect(differing(before, await filesOf())).toEqual(["post-9.md", ...edited].toSorted());
  await pull("again");
  expect(differing(before, await filesOf("again"))).toEqual(edited.toSorted());
});

test("a post that somebody else saved in between is a conflict: both are shown, and neither is overwritten", async () => {
  const { id, version } = await create({ title: "Garden", body: "One\nTwo" });
  await pull();
  await edit("garden.md", (all) => all.replace("Two", "Mine"));
  await node.call(registry.edit_post, actor, { websiteId, postId: id, expectedVersion: version, body: "One\nTheirs" });
  const mine = await readFile(file("garden.md"), "utf8");
  for (const run of [() => push("--yes"), () => push("--dry-run"), () => pull()]) {
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain("conflict   garden.md: changed on the server");
    expect(said).toMatch(/body, from line 2 on\n +server: "Theirs"\n +yours: +"Mine"/);
    expect(await readFile(file("garden.md"), "utf8")).toBe(mine);
  }
  expect((await read(id)).working.body).toBe("One\nTheirs");
  // Who has seen both says so.
  await edit("garden.md", (all) => all.replace(`version: ${version}`, `version: ${version + 1}`));
  expect((await push("--yes")).code).toBe(0);
  expect((await read(id)).working.body).toBe("One\nMine");
  expect(await pull()).toMatchObject({ said: "posts: 1 unchanged.\n" });

  // Publishing is a version, and no conflict: the text is the one that was pulled.
  await edit("garden.md", (all) => all.replace("Mine", "Later"));
  await node.call(registry.publish_post, actor, { websiteId, postId: id, expectedVersion: version + 2 });
  expect((await pull()).said).toContain("kept       garden.md: edited here and not pushed yet");
  expect(await push("--yes")).toMatchObject({ code: 0, said: expect.stringContaining("updated    garden.md") as string });
  expect(await read(id)).toMatchObject({ version: version + 4, working: { body: "One\nLater" }, live: { content: { body: "One\nMine" } } });
  expect(await readFile(file("garden.md"), "utf8")).toContain(`version: ${version + 4}`);
});

test("a new file becomes a draft once, gets its id, and a title that moves the address moves it in the file", async () => {
  await mkdir(path.join(folder, "posts"));
  await writeFile(file("new.md"), "---\ntitle: Fresh\n# mine\n---\nHello\n");
  await writeFile(file("README.md"), "no front matter");
  const first = await push("--yes");
  expect(first).toMatchObject({
    code: 1,
    said: expect.stringContaining("problem    README.md: the file must start with front matter") as string,
  });
  expect(first.said).toContain("new        new.md: a draft");
  const [id] = Object.keys(await versions());
  expect(await read(id!)).toMatchObject({ status: "draft", version: 1, working: { title: "Fresh", slug: "fresh", body: "Hello" } });
  expect(await readFile(file("new.md"), "utf8")).toBe(`---\nid: ${id}\nversion: 1\ntitle: Fresh\n# mine\n---\nHello\n`);
  await rm(file("README.md"));
  // The answer was lost: the file is as before, and finds its post.
  await writeFile(file("new.md"), "---\ntitle: Fresh\n# mine\n---\nHello\n");
  await push("--yes");
  expect(await versions()).toEqual({ [id!]: 1 });
  await edit("new.md", (all) => all.replace("title: Fresh", "title: Older\nslug: fresh"));
  await push("--yes");
  expect((await read(id!)).working.slug).toBe("older");
  expect(await readFile(file("new.md"), "utf8")).toContain("version: 2\ntitle: Older\nslug: older\n");
});

test("where the website holds what apps change, a pushed change waits for review, and one that was rejected is pulled back", async () => {
  const { id, version } = await create({ title: "Live", body: "Old" });
  await node.call(registry.publish_post, actor, { websiteId, postId: id, expectedVersion: version });
  await node.call(registry.update_website, actor, { websiteId, expectedVersion: website.version, settings: { holdToolChanges: true } });
  await pull();
  const before = await readFile(file("live.md"), "utf8");
  await edit("live.md", (all) => all.replace("Old", "New"));
  expect((await push("--dry-run")).said).toContain("to update  live.md: body (published; waits until a person accepts it)");
  expect(await push("--yes")).toMatchObject({ code: 0, said: expect.stringContaining("in review  live.md") as string });
  expect((await read(id)).working.body).toBe("Old");
  expect((await pull()).said).toBe("posts: 1 unchanged.\n");
  expect((await push("--yes")).said).toContain("0 to push");
  const { items } = await node.call(registry.list_suggestions, actor, { websiteId });
  await node.call(registry.reject_suggestion, actor, { websiteId, suggestionId: items[0]!.id });
  expect((await pull()).said).toContain("updated    live.md");
  expect(await readFile(file("live.md"), "utf8")).toBe(before);
});

test("what was pushed stands in the log of the app, and its owner can undo it", async () => {
  const { id } = await create({ title: "Undo", body: "Old" });
  await pull();
  const since = (await read(id)).editedAt;
  await edit("undo.md", (all) => all.replace("Old", "New"));
  await push("--yes");
  const ids = { workspaceId: workspace.id, connectionId: connection.id };
  const { items } = await node.call(registry.list_tool_calls, actor, ids);
  expect(items[0]).toMatchObject({ tool: "update_post", target: { id } });
  const until = node.services.clock().toISOString();
  await node.call(registry.undo_connection, actor, { ...ids, since, until });
  expect((await read(id)).working.body).toBe("Old");
});

test("an API key never suffices, another website keeps out, and a folder belongs to one website", async () => {
  await create({ title: "Mine" });
  const { key } = await node.call(registry.create_key, actor, { websiteId, name: "Site" });
  const refused = await stet(["pull", "posts", "--website", websiteId], { STET_TOKEN: key });
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining("An API key only reads") as string });
  const other = await node.makeTenant();
  const foreign = await stet(["pull", "posts", "--website", other.website.id]);
  expect(foreign).toMatchObject({ code: 1, said: expect.stringContaining("no access to a website") as string });
  expect((await stet(["push", "posts", "--website", other.website.id, "--yes"])).said).toContain("0 to push");
  await pull();
  const { id } = await node.call(registry.create_website, actor, { workspaceId: workspace.id, name: "Second" });
  const wrong = await stet(["push", "posts", "--website", id]);
  expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining("Use another folder") as string });
  // It remembers which; another folder has to be told.
  expect(await stet(["pull"])).toEqual({ code: 0, said: "posts: 1 unchanged.\n" });
  expect(await stet(["pull", "other"])).toMatchObject({ code: 1, said: expect.stringContaining(`${id}  Second`) as string });
});

test("types writes the custom fields once, and again only when they changed", async () => {
  const fields = [{ key: "mood", label: "Mood", type: "select", options: ["calm", "wild"] }];
  const { version } = await node.call(registry.set_field_definitions, actor, {
    websiteId,
    expectedVersion: website.version,
    fieldDefinitions: fields,
  });
  const types = () => stet(["types", "--website", websiteId]);
  const out = path.join(folder, "stet-fields.ts");
  expect((await types()).code).toBe(0);
  expect(await readFile(out, "utf8")).toContain('  /** Mood */\n  readonly mood?: "calm" | "wild" | "" | null;');
  await utimes(out, 1, 1);
  expect((await types()).said).toBe("stet-fields.ts is up to date.\n");
  expect((await stat(out)).mtimeMs).toBe(1_000);
  await node.call(registry.set_field_definitions, actor, { websiteId, expectedVersion: version, fieldDefinitions: [] });
  await types();
  expect(await readFile(out, "utf8")).toContain("export interface Fields {\n}");
});
