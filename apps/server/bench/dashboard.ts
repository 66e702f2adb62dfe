import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Actor, userActor } from "#domain/actor";
import type { PostId, UserId, WebsiteId } from "#domain/ids";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { type OperationName, registry } from "#operations/registry";
import { buildContent, buildLive, buildPost, buildRendering, testId } from "#test/builders";
import { throughput } from "./measure.ts";

/**
 * `npm run bench -- dashboard`: how long the service takes for what the dashboard asks, with 50,000 posts in one website, as
 * multiples of a trivial query of the same run. Writing them takes a minute or two; `--data FOLDER` keeps them for the next run.
 */
const POSTS = 50_000;
const WRITERS = 8;
const ROUNDS = 60;
const WARM_UP = 5;
const BODY_BYTES = 200_000;
const DEEP_PAGES = 40;
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);
const PARAGRAPH = "Every list is read in the order of an index, so that it costs the same with ten posts and with ten thousand. ";

interface Seeded {
  readonly userId: UserId;
  readonly websiteId: WebsiteId;
}

const { values: given } = parseArgs({ options: { data: { type: "string" } } });
const folder = given.data ? path.resolve(given.data) : await mkdtemp(path.join(tmpdir(), "stet-bench-"));
await mkdir(folder, { recursive: true });
const config = readConfig({ STET_DATA: path.join(folder, "data") });
const installation = await openInstallation(config, createLog("warn", process.stderr), { role: "service", report: () => {} });
try {
  const { services, database } = installation;
  const { userId, websiteId } = await seeded(services);
  await database.query({ text: "VACUUM ANALYZE" });
  const actor = userActor(userId);
  const ask = (name: OperationName, input: Record<string, unknown> = {}, as: Actor = actor) =>
    execute(services, registry[name] as never, as, { websiteId, ...input });
  const list = (input: Record<string, unknown> = {}) => ask("list_posts", { limit: 50, ...input }) as Promise<Listed>;

  const large = (await ask("create_post", { title: "A long one", body: bodyOf(0) })) as { id: PostId; version: number };
  let { version } = large;
  const deep = await cursorAt(list, DEEP_PAGES);
  const wanderer = testId("user", 2);
  const page = (await list()).items.map(({ id }) => id);

  const tasks: Record<string, () => Promise<unknown>> = {
    "a trivial query": () => database.query({ text: "SELECT 1" }),
    "list_posts, page 1": () => list(),
    [`list_posts, page ${DEEP_PAGES}`]: () => list({ cursor: deep }),
    "list_posts, by title": () => list({ sort: "title" }),
    "list_posts, one status": () => list({ statuses: ["draft"] }),
    "list_posts, a tag": () => list({ tagId: testId("tag", 3) }),
    "list_posts, someone who wrote few": () => list({ ownerId: wanderer }),
    "list_posts, waiting for review": () => list({ reviewRequested: true }),
    "list_posts, a word in many titles": () => list({ titleContains: "number" }),
    "list_posts, a word in one title": () => list({ titleContains: "number 4999 " }),
    "list_posts, a word in no title": () => list({ titleContains: "nowhere" }),
    count_posts: () => ask("count_posts"),
    get_home: () => ask("get_home"),
    list_calendar: () => ask("list_calendar", { from: "2026-01-05T00:00:00.000Z", to: "2026-02-05T00:00:00.000Z" }),
    "get_views_of_posts, 50": () => ask("get_views_of_posts", { postIds: page }),
    "edit_post, 200 KB": async () => {
      const saved = await ask("edit_post", { postId: large.id, expectedVersion: version, body: bodyOf(version) });
      version = (saved as { version: number }).version;
    },
    "check_post, 200 KB": () => ask("check_post", { postId: large.id }),
  };
  const times = new Map(Object.keys(tasks).map((name) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // By turns, so that whatever else the machine does falls on all of them alike.
    for (const [name, task] of Object.entries(tasks)) {
      const started = performance.now();
      await task();
      if (round >= WARM_UP) times.get(name)!.push(performance.now() - started);
    }
  }
  const trivial = quantile(times.get("a trivial query")!, 0.5);
  const rows = [...times].map(([name, each]) => {
    const [p50, p99] = [quantile(each, 0.5), quantile(each, 0.99)];
    return { what: name, p50: round2(p50), p99: round2(p99), "p50, × trivial": Math.round(p50 / trivial) };
  });
  console.log(`${POSTS.toLocaleString("en")} posts in one website; milliseconds, ${ROUNDS} rounds.`);
  console.table(rows);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL("dashboard.json", RESULTS), `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  await installation.close();
  if (!given.data) await rm(folder, { recursive: true, force: true });
}

interface Listed {
  readonly items: readonly { readonly id: PostId }[];
  readonly nextCursor: string | null;
}

async function cursorAt(list: (input: Record<string, unknown>) => Promise<Listed>, pages: number): Promise<string> {
  let cursor: string | null = null;
  for (let n = 1; n < pages; n++) ({ nextCursor: cursor } = await list(cursor === null ? {} : { cursor }));
  if (cursor === null) throw new Error("There are not enough posts for a deep page: it measures nothing.");
  return cursor;
}

/** What an earlier run left in the folder, or new. */
async function seeded(services: Services): Promise<Seeded> {
  const file = path.join(folder, "dashboard.json");
  const kept = await readFile(file, "utf8").catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Seeded;
  const options = { email: "bench@example.com", password: "a password for the bench", workspace: "Bench", website: "Large" };
  const main = await runBootstrap(services, { ...options, plan: "team", posts: 0, json: true }, () => {});
  const { userId, websiteId } = main as unknown as Seeded;
  const { posts } = services.contents.managed;
  const rate = await throughput(POSTS, WRITERS, (n) => posts.insert(samplePost(n, websiteId, userId), { visible: false }));
  process.stderr.write(`${POSTS} posts written, ${Math.round(rate)} a second.\n`);
  await writeFile(file, JSON.stringify({ userId, websiteId }));
  return { userId, websiteId };
}

/** Four of five are published; a few wait for review, and a few belong to somebody who wrote hardly anything. */
function samplePost(n: number, websiteId: WebsiteId, userId: UserId) {
  const title = `A post about something, number ${(n * 7_919) % POSTS} of many`;
  const working = buildContent(n, { title, tagIds: [testId("tag", n % 10)], body: `## A heading\n\n${PARAGRAPH.repeat(20)}\n` });
  const common = { websiteId, working, ownerId: n % 10_000 === 0 ? testId("user", 2) : userId };
  if (n % 5 !== 0) {
    const live = buildLive(working, { rendering: buildRendering(working, { html: "<p></p>", text: "" }) });
    return buildPost(n, { ...common, status: "published", live, slugFollowsTitle: false });
  }
  const post = buildPost(n, common);
  const review = { requestedBy: post.editedBy, requestedAt: post.createdAt, note: "" };
  return n % 1_000 === 0 ? { ...post, review } : post;
}

/** Differs with every version, in one word of the middle as when somebody types. */
function bodyOf(version: number): string {
  const half = PARAGRAPH.repeat(Math.ceil(BODY_BYTES / PARAGRAPH.length / 2));
  return `## A heading\n\n${half}\n\nVersion ${version}.\n\n${half}\n`;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
