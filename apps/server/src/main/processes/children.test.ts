import cluster from "node:cluster";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { startChildren } from "./children.ts";
import type { Hub } from "./hub.ts";

/** Says what a serving process says, and serves nothing. */
const CHILD = `
process.on("message", (message) => message.type === "start" && process.send({ type: "ready" }));
process.send({ type: "loaded" });
`;

// Processes start and end here, on machines that may be busy.
const WAITING = { timeout: 30_000 };
vi.setConfig({ testTimeout: 120_000 });

const folder = await mkdtemp(path.join(tmpdir(), "stet-children-"));
afterAll(async () => {
  const { argv, execArgv } = process;
  cluster.setupPrimary({ exec: argv[1]!, args: argv.slice(2), execArgv, cwd: process.cwd() });
  await rm(folder, { recursive: true, force: true });
});

test("a process that the system cannot start right now is started later, and nobody else ends for it", async () => {
  const script = path.join(folder, "child.mjs");
  await writeFile(script, CHILD);
  const way = { exec: script, execArgv: [], args: [], cwd: folder };
  const serving: unknown[] = [];
  const hub = { add() {}, remove() {}, beat() {}, received() {}, ready: (child: unknown) => serving.push(child) } as unknown as Hub;
  let said = "";
  const log = createLog("error", { write: (line) => void (said += line) });
  const end = () => Object.values(cluster.workers!).forEach((worker) => worker!.process.kill("SIGKILL"));

  cluster.setupPrimary(way);
  const children = startChildren({ processes: 1, server: {}, secrets: [] }, hub, log);
  await children.ready;
  const troubles = [
    // The system says so later, as when there are too many processes.
    { cwd: path.join(folder, "nowhere") },
    // The system says so at once, as when there is no memory.
    { args: ["\0"] },
  ];
  for (const trouble of troubles) {
    cluster.setupPrimary({ ...way, ...trouble });
    said = "";
    const before = serving.length;
    end();
    await expect.poll(() => said.match(/Starting another one/g)?.length ?? 0, WAITING).toBeGreaterThan(1);
    cluster.setupPrimary(way);
    await expect.poll(() => serving.length, WAITING).toBe(before + 1);
  }
  await children.stop(5_000);
});
