import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const { services } = node;
const tenant = await node.makeTenant();
const { id: websiteId } = tenant.website;
const cookie = await node.signIn(tenant.owner);

const send = (operation: string, input: object, signal?: AbortSignal) =>
  fetch(`${node.url}/api/rpc/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: node.url, Cookie: cookie },
    body: JSON.stringify({ websiteId, ...input }),
    ...(signal && { signal }),
  });
const dataOf = async <T>(response: Response) => ((await response.json()) as { data: T }).data;
const LARGE = "A word. ".repeat(64 * 1024);

/** Takes every place at work and in the line. */
async function fill(line: (name: string) => Promise<() => void>, name: string): Promise<() => void> {
  const leaving: Promise<() => void>[] = [];
  for (let isFull = false; !isFull;) {
    const place = line(name);
    // A refusal comes at once.
    isFull = await Promise.race([
      place.then(
        () => false,
        () => true,
      ),
      new Promise<boolean>((resolve) => setImmediate(resolve, false)),
    ]);
    if (!isFull) leaving.push(place);
  }
  return () => leaving.forEach((place) => void place.then((leave) => leave()));
}

test("a large body is refused while its sender's line is full, within two seconds and without being read; small ones go on", async () => {
  const empty = await fill(services.lines.bodies, tenant.owner.id);
  const started = performance.now();
  const refused = await send("create_post", { title: "Large", body: LARGE });
  expect(performance.now() - started).toBeLessThan(2_000);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "2"]);
  expect((await send("create_post", { title: "Small", body: "Small." })).status).toBe(200);
  empty();
  expect((await send("create_post", { title: "Large", body: LARGE })).status).toBe(200);
});

test("publishing a large post is refused while its workspace's line is full; a small one and another workspace go on", async () => {
  const large = await dataOf<{ id: string; version: number }>(await send("create_post", { title: "Large one", body: LARGE }));
  const small = await dataOf<{ id: string; version: number }>(await send("create_post", { title: "Small one", body: "Small." }));
  const publish = ({ id, version }: { id: string; version: number }) => send("publish_post", { postId: id, expectedVersion: version });
  const other = await services.lines.large("another workspace");
  other();
  const empty = await fill(services.lines.large, tenant.workspace.id);
  const refused = await publish(large);
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "2"]);
  // Whoever comes again too early is refused before the post is loaded.
  let places = 0;
  const { posts } = services.lines;
  Object.assign(services.lines, { posts: Object.assign((name: string) => (places++, posts(name)), posts) });
  expect((await publish(large)).status).toBe(429);
  expect(places).toBe(0);
  Object.assign(services.lines, { posts });
  expect((await publish(small)).status).toBe(200);
  (await services.lines.large("another workspace"))();
  empty();
  expect((await publish(large)).status).toBe(200);
});

test("a save that waits in line when its session is found to have ended is refused, and that ends no process", async () => {
  const theirs = await node.signIn(tenant.owner);
  const post = await node.rpc(theirs, "create_post", { websiteId, title: "As it was" });
  await services.database.query({
    text: `DELETE FROM "session" WHERE token = $1`,
    values: [decodeURIComponent(theirs.split("=")[1]!).split(".")[0]],
  });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const leaving = await Promise.all(Array.from({ length: 16 }, () => services.lines.posts(websiteId)));
  const edit = { websiteId, postId: post.id, expectedVersion: 1, title: "Changed" };
  const answer = node.fetch("/api/rpc/edit_post", {
    method: "POST",
    cookie: theirs,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(edit),
  });
  // Time enough to find that out.
  await setTimeout(200);
  for (const leave of leaving) leave();
  expect((await answer).status).toBe(401);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("a list whose reader has gone is cancelled in the database; a save is finished all the same", async () => {
  const post = await dataOf<{ id: string; version: number }>(await send("create_post", { title: "Before", body: "Text." }));
  const waiting = async (statement: string): Promise<number> =>
    (
      await services.database.query<{ n: number }>({
        text: "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1",
        values: [statement],
      })
    ).rows[0]!.n;
  await services.database.transaction(async (connection) => {
    await connection.query({ text: "LOCK TABLE posts IN ACCESS EXCLUSIVE MODE" });
    const gone = new AbortController();
    const list = send("list_posts", { titleContains: "nothing like it" }, gone.signal).catch(() => {});
    await expect.poll(() => waiting("posts")).toBeGreaterThan(0);
    gone.abort();
    await list;
    await expect.poll(() => waiting("posts")).toBe(0);
    const left = new AbortController();
    const save = send("edit_post", { postId: post.id, expectedVersion: post.version, title: "After" }, left.signal).catch(() => {});
    await expect.poll(() => waiting("posts")).toBeGreaterThan(0);
    left.abort();
    await save;
  });
  const title = async () => (await dataOf<{ working: { title: string } }>(await send("get_post", { postId: post.id }))).working.title;
  await expect.poll(title).toBe("After");
});
