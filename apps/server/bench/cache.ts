import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { POST_SORTS } from "@stet/contract";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { ask, createProcesses, hear } from "./delivery/processes.ts";
import type { ProcessUsage, Served } from "./delivery/shared.ts";

/**
 * `npm run bench -- cache`: fills the cache of answers, at its default size, with small pages, and goes on until as many again were replaced.
 * Fails when living buffers hold much more than the cache counts, or the process grows beyond its bar: answers that are kept as pieces of
 * larger blocks once took six times what was counted. The bar is for what stays after a rest. `--pages N` stops after so many, full or not.
 */
const POSTS = 2_500;
const MOST_BYTES = 250e6;
/** What is counted for answers is at most half of the cache: the rest is for posts as they stand in lists, and this website has few. */
const FULL = 0.45;
/** Memory beside the cache: of connections, of the database's driver, and answers under way. */
const OTHER_BYTES = 24e6;
const AT_ONCE = 8;
/** The engine keeps pages that it emptied for some seconds, in case it needs them again: some 60 MB while it makes this many answers. */
const REST_MILLIS = 20_000;
const PLANS = {
  team: { requestsPerMonth: 1e9, ratePerSecond: 1e6, burst: 1e6, websites: null, storageBytes: null, liveKeys: null },
};

const { values: given } = parseArgs({ options: { pages: { type: "string" } } });
const CACHE_BYTES = 64 * 1024 * 1024;
const mostPages = given.pages === undefined ? Number.POSITIVE_INFINITY : Number(given.pages);
const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const processes = createProcesses();
try {
  const plans = path.join(folder, "plans.json");
  await mkdir(folder, { recursive: true });
  await writeFile(plans, JSON.stringify(PLANS));
  const env = {
    STET_DATA: path.join(folder, "data"),
    STET_PLANS: plans,
    HOST: "127.0.0.1",
    PORT: "4000",
    STET_METRICS: "on",
  };
  const key = await seed(env);
  const server = processes.start("server", undefined, env);
  const { port } = await hear<Served>(server);
  const get = async (target: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { Authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${target} answered ${response.status}: it measures nothing.`);
    return response.text();
  };
  const counted = async () => Number(/^stet_delivery_cache_bytes (\d+)/m.exec(await get("/metrics"))?.[1]);

  await delay(REST_MILLIS);
  const before = await ask<ProcessUsage>(server, "living");
  let pages = 0;
  let fullAt: number | null = null;
  for await (const target of smallPages(get)) {
    await Promise.all(target.map(get));
    pages += target.length;
    if (pages % 1_000 < target.length && fullAt === null && (await counted()) > FULL * CACHE_BYTES) fullAt = pages;
    if ((fullAt !== null && pages >= 2 * fullAt) || pages >= mostPages) break;
  }
  const [bytes, busy] = [await counted(), await ask<ProcessUsage>(server, "living")];
  await delay(REST_MILLIS);
  const after = await ask<ProcessUsage>(server, "living");
  const living = ({ heapBytes, bufferBytes }: ProcessUsage) => heapBytes + bufferBytes;
  const megabytes = (value: number) => Math.round(value / 1e6);
  const row = (made: number, counted: number, { heapBytes, bufferBytes, rssBytes }: ProcessUsage) => ({
    pages: made,
    counted: megabytes(counted),
    heap: megabytes(heapBytes),
    buffers: megabytes(bufferBytes),
    process: megabytes(rssBytes),
  });
  console.table({ "at the start": row(0, 0, before), "at the end": row(pages, bytes, busy), "after a rest": row(pages, bytes, after) });
  const faults = [
    ...(fullAt === null && given.pages === undefined ? ["the cache was never full: make more pages"] : []),
    ...(after.bufferBytes > bytes + OTHER_BYTES ? ["living buffers hold more than the cache counts"] : []),
    ...(living(after) - living(before) > bytes + OTHER_BYTES ? ["what lives grew by more than the cache counts"] : []),
    ...(after.rssBytes > MOST_BYTES ? [`the process is larger than ${megabytes(MOST_BYTES)} MB`] : []),
  ];
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    process.exitCode = 1;
  }
} finally {
  processes.killAll();
  await rm(folder, { recursive: true, force: true });
}

async function seed(env: Record<string, string>): Promise<string> {
  const installation = await openInstallation(readConfig({ ...process.env, ...env }), createLog("warn", process.stderr), {
    role: "service",
    report: () => {},
  });
  try {
    const options = { email: "bench@example.com", password: "a password for the bench", workspace: "Bench", website: "Pages" };
    const made = await runBootstrap(installation.services, { ...options, plan: "team", posts: POSTS, json: true }, () => {});
    return (made as unknown as { apiKey: string }).apiKey;
  } finally {
    await installation.close();
  }
}

/** Addresses that differ, a few at a time: every post in its three forms, and every order of the list in pages of one to four. */
async function* smallPages(get: (target: string) => Promise<string>): AsyncGenerator<readonly string[]> {
  for (const limit of [4, 3, 2, 1]) {
    for (const sort of POST_SORTS) {
      let cursor: string | null = null;
      do {
        const after = cursor === null ? "" : `&cursor=${cursor}`;
        const list = `/v1/blog/posts?limit=${limit}&sort=${sort}${after}`;
        const { data, pagination } = JSON.parse(await get(list)) as {
          data: { slug: string }[];
          pagination: { nextCursor: string | null };
        };
        cursor = pagination.nextCursor;
        const singles = limit === 4 && sort === POST_SORTS[0] ? data.flatMap(({ slug }) => formsOf(slug)) : [];
        for (let from = 0; from < singles.length; from += AT_ONCE) yield singles.slice(from, from + AT_ONCE);
        yield [list];
      } while (cursor !== null);
    }
  }
}

function formsOf(slug: string): readonly string[] {
  return ["", "?format=html", "?format=markdown"].map((format) => `/v1/blog/posts/${slug}${format}`);
}
