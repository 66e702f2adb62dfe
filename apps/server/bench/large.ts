import { mkdir, mkdtemp, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Database } from "#adapters/postgres/database";
import type { UserId, WebsiteId } from "#domain/ids";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { fillLargeBlog } from "#test/large-blog/large-blog";
import { questions } from "./large/questions.ts";

/**
 * `npm run bench -- large`: a website of a million posts, a tenth of them with bodies of 4 KB, written by COPY; then what websites, people and
 * sweeps ask of it, each once after a restart of PostgreSQL and three times more, and how many bytes a post takes. Fails when an answer takes
 * more processor time of PostgreSQL than it may, because elapsed time says little on a machine that does something else.
 * `--posts N` makes another number, `--data FOLDER` keeps them for the next run.
 */
const BYTES_A_POST = 35_000;
/** Taken by the log of PostgreSQL, and left for everybody else. */
const ROOM_BYTES = 8e9;
const AGAIN = 3;
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

interface Seeded {
  readonly userId: UserId;
  readonly websiteId: WebsiteId;
  readonly posts: number;
}

const { values: given } = parseArgs({ options: { data: { type: "string" }, posts: { type: "string", default: "1000000" } } });
const folder = given.data ? path.resolve(given.data) : await mkdtemp(path.join(tmpdir(), "stet-bench-"));
await mkdir(folder, { recursive: true });
const open = () =>
  openInstallation(readConfig({ STET_DATA: path.join(folder, "data") }), createLog("warn", process.stderr), {
    role: "service",
    report: () => {},
  });
try {
  const seeded = await seed();
  const { services, database, close } = await open();
  const tooSlow: string[] = [];
  try {
    const rows = [];
    for (const { name, bar, ask } of questions(services, seeded)) {
      const first = await measured(database, ask);
      const again = [];
      for (let round = 0; round < AGAIN; round++) again.push(await measured(database, ask));
      const best = again.toSorted((left, right) => left.processor - right.processor)[0]!;
      rows.push({
        what: name,
        "first, ms": first.elapsed,
        "first, processor": first.processor,
        "again, ms": best.elapsed,
        "again, processor": best.processor,
        bar,
      });
      if (first.processor > bar) tooSlow.push(`${name}: ${first.processor} ms of processor time, ${bar} are allowed`);
    }
    console.table(rows);
    const { rows: sizes } = await database.query<{ bytes: number }>({ text: "SELECT pg_database_size(current_database()) AS bytes" });
    const each = Math.round(sizes[0]!.bytes / seeded.posts);
    console.log(`${seeded.posts.toLocaleString("en")} posts, ${each.toLocaleString("en")} bytes each.`);
    if (each > BYTES_A_POST) tooSlow.push(`${each} bytes a post, ${BYTES_A_POST} are allowed`);
    await mkdir(RESULTS, { recursive: true });
    await writeFile(new URL("large.json", RESULTS), `${JSON.stringify({ posts: seeded.posts, bytesEach: each, rows }, null, 2)}\n`);
  } finally {
    await close();
  }
  if (tooSlow.length > 0) {
    console.error(`Over the bar:\n${tooSlow.join("\n")}`);
    process.exitCode = 1;
  }
} finally {
  if (!given.data) await rm(folder, { recursive: true, force: true });
}

/** What an earlier run left in the folder, or new. The server is stopped afterwards, so that it begins with nothing in its memory. */
async function seed(): Promise<Seeded> {
  const file = path.join(folder, "large.json");
  const kept = await readFile(file, "utf8").catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Seeded;
  const posts = Number(given.posts);
  const { bavail, bsize } = await statfs(folder);
  const needed = posts * BYTES_A_POST + ROOM_BYTES;
  if (bavail * bsize < needed) {
    const [gigabytes, free] = [needed, bavail * bsize].map((bytes) => Math.ceil(bytes / 1e9));
    throw new Error(
      `${posts} posts need ${gigabytes} GB, and ${free} GB are free. Make fewer with --posts N, or choose another disk with --data.`,
    );
  }
  const { services, database, close } = await open();
  try {
    const options = { email: "bench@example.com", password: "a password for the bench", workspace: "Bench", website: "Large" };
    const made = (await runBootstrap(services, { ...options, plan: "team", posts: 0, json: true }, () => {})) as unknown as Seeded;
    const started = performance.now();
    const onProgress = (done: number) => {
      if (done % 20_000 === 0) process.stderr.write(`${done} posts after ${Math.round((performance.now() - started) / 1_000)} s\n`);
    };
    await fillLargeBlog(database, services.contents.managed, {
      websiteId: made.websiteId,
      posts,
      full: Math.round(posts / 10),
      onProgress,
    });
    await database.query({ text: "VACUUM ANALYZE" });
    const seeded = { userId: made.userId, websiteId: made.websiteId, posts };
    await writeFile(file, JSON.stringify(seeded));
    return seeded;
  } finally {
    await close();
  }
}

/** Milliseconds, by the clock and of the processors in PostgreSQL (where they can be read: on Linux, beside the server). */
async function measured(database: Database, ask: () => Promise<unknown>): Promise<{ elapsed: number; processor: number }> {
  const [started, before] = [performance.now(), await processorMillis(database)];
  await ask();
  const elapsed = performance.now() - started;
  return { elapsed: Math.round(elapsed), processor: Math.round((await processorMillis(database)) - before) };
}

async function processorMillis(database: Database): Promise<number> {
  const { rows } = await database.query<{ pid: number }>({
    text: "SELECT pid FROM pg_stat_activity WHERE backend_type LIKE '%backend%' OR backend_type LIKE 'parallel%'",
  });
  const each = await Promise.all(rows.map(({ pid }) => readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0")));
  return each.reduce((sum, text) => sum + Number(text.split(" ", 1)[0]) / 1e6, 0);
}
