import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createComparison } from "./delivery/compare.ts";
import { ask, createProcesses, hear, twoCores } from "./delivery/processes.ts";
import { record, requestText } from "./delivery/record.ts";
import { belowBar, printRows } from "./delivery/report.ts";
import type { Measured, ProcessUsage, Served } from "./delivery/shared.ts";
import { makeHostile } from "./images/hostile.ts";
import { makePhotos } from "./images/photos.ts";
import { throughput } from "./measure.ts";

/**
 * `npm run bench -- images`: uploads of photos of a megabyte, the first request of a variant, and the repeated one against a bare node:http
 * server that sends the same bytes, on one core and by turns as in the bench of the read path; then a reader beside hostile files. Loopback only; it takes a minute.
 * Fails below the bar.
 */
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);
const BAR = 0.8;
const PHOTOS = 24;
const AT_ONCE = 4;
/** Megabytes that the service may grow by while hostile files come in. */
const MOST_GROWTH = 60;
const WIDTHS = [320, 640, 1280];

const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const processes = createProcesses();
try {
  const photos = await makePhotos(PHOTOS);
  const hostile = await makeHostile(photos[0]!);
  const env = { STET_DATA: path.join(folder, "data"), HOST: "127.0.0.1", PORT: "4000" };
  const seeding = processes.start("../images/seed", undefined, env);
  const seeded = once(seeding, "exit");
  const { userId, websiteId } = await hear<{ userId: string; websiteId: string }>(seeding);
  await seeded;
  const cores = await twoCores();
  const server = processes.start("server", cores[0], env);
  const { origin, port } = await hear<Served>(server);
  const bare = processes.start("bare", cores[0]);
  const barePort = await hear<number>(bare);
  const client = processes.start("load", cores[1]);
  const cookie = await ask<string>(server, { signIn: userId });
  console.log(cores[0] === undefined ? "No taskset here: the cores are shared." : `Server on core ${cores[0]}, load on core ${cores[1]}.`);

  const urls: string[] = [];
  const before = await ask<ProcessUsage>(server, "usage");
  const uploadsPerSecond = await throughput(PHOTOS, AT_ONCE, async (n) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/websites/${websiteId}/media?fileName=photo-${n}.jpg`, {
      method: "POST",
      headers: { cookie, origin },
      body: photos[n]!,
    });
    if (response.status !== 200) throw new Error(`An upload was answered with ${response.status}: ${await response.text()}`);
    urls.push(new URL(((await response.json()) as { data: { url: string } }).data.url, origin).pathname);
  });
  const after = await ask<ProcessUsage>(server, "usage");
  const cpuMillis = (after.treeMicros - before.treeMicros) / PHOTOS / 1_000;
  const megabytes = photos.reduce((sum, photo) => sum + photo.byteLength, 0) / PHOTOS / 1e6;
  console.log(
    `Uploads of ${megabytes.toFixed(2)} MB: ${uploadsPerSecond.toFixed(1)} a second, ${AT_ONCE} at once; ${cpuMillis.toFixed(0)} ms of processor time each, with the decoding process and the database.`,
  );

  const first: number[] = [];
  for (const url of urls) {
    const started = performance.now();
    await (await fetch(`http://127.0.0.1:${port}${url}?w=640`)).bytes();
    first.push(performance.now() - started);
  }
  const firstMillis = first.toSorted((a, b) => a - b)[Math.floor(PHOTOS / 2)]!;
  console.log(`The first request of a variant takes ${firstMillis.toFixed(0)} ms (median).`);

  const { against } = createComparison({ process: server, port }, { process: bare, port: barePort }, client);
  const rows = [];
  for (const width of WIDTHS) {
    const targets = urls.map((url) => `${url}?w=${width}`);
    const answer = await record(port, targets[0]!, "");
    // One image, as the bare server sends one answer: others have other lengths.
    rows.push(await against(`variant, ${width} px`, [answer], [requestText(targets[0]!, "")]));
  }
  printRows(rows);

  // Hostile files beside readers: the best of some rounds each, by turns.
  const reader = { port, requests: [requestText(`${urls[0]!}?w=640`, "")], connections: 1, warmUpMillis: 200, millis: 1_500 };
  const p99 = async () => (await ask<Measured>(client, reader)).p99Millis;
  const attack = async (until: () => boolean) => {
    for (let n = 0; !until(); n++) {
      const body = hostile[n % hostile.length]!;
      await fetch(`http://127.0.0.1:${port}/api/websites/${websiteId}/media?fileName=x.png`, {
        method: "POST",
        headers: { cookie, origin },
        body,
      });
    }
  };
  const alone: number[] = [];
  const beside: number[] = [];
  const calm = await ask<ProcessUsage>(server, "usage");
  for (let round = 0; round < 3; round++) {
    alone.push(await p99());
    let isOver = false;
    const attacks = Array.from({ length: AT_ONCE }, () => attack(() => isOver));
    beside.push(await p99());
    isOver = true;
    await Promise.all(attacks);
  }
  const grownMegabytes = ((await ask<ProcessUsage>(server, "usage")).rssBytes - calm.rssBytes) / 1e6;
  const [aloneMillis, besideMillis] = [Math.min(...alone), Math.min(...beside)];
  console.log(
    `Beside hostile uploads the p99 of a variant is ${besideMillis.toFixed(2)} ms instead of ${aloneMillis.toFixed(2)} ms, and the service grew by ${grownMegabytes.toFixed(0)} MB.`,
  );
  const problems = rows.flatMap((row) => belowBar(row, BAR));
  if (grownMegabytes > MOST_GROWTH)
    problems.push(`Memory grew by ${grownMegabytes.toFixed(0)} MB beside hostile files, the bar is ${MOST_GROWTH}`);
  await mkdir(RESULTS, { recursive: true });
  const results = {
    node: process.version,
    megabytes,
    uploadsPerSecond,
    cpuMillis,
    firstMillis,
    rows,
    aloneMillis,
    besideMillis,
    grownMegabytes,
    bar: BAR,
    problems,
  };
  await writeFile(new URL("images.json", RESULTS), `${JSON.stringify(results, null, 2)}\n`);
  if (problems.length > 0) {
    console.error(`Below the bar:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    process.exitCode = 1;
  }
  const stopped = once(server, "exit");
  server.disconnect();
  await stopped;
} finally {
  processes.killAll();
  await rm(folder, { recursive: true, force: true });
}
