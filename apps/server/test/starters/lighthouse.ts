import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Launch } from "#test/chromium";
import { freePort } from "#test/free-port";
import { announce } from "#test/parts";

type Lighthouse = (
  address: string,
  flags: { port: number; logLevel: "silent"; onlyCategories: readonly string[] },
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } }>;

const CATEGORIES = ["performance", "accessibility", "seo", "best-practices"] as const;
const LEAST = 95;

/**
 * Lighthouse, from npm, on a phone that it imagines. A busy machine looks like a slow page: each page has five tries, and with many
 * programs waiting for a processor the performance is told and not judged.
 */
export async function expectGoodScores(launch: Launch, addresses: readonly string[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-lighthouse-"));
  const port = await freePort();
  const browser = await launch({ port });
  try {
    await promisify(execFile)("npm", ["install", "--silent", "--no-save", "--prefix", folder, "lighthouse@12"], {
      cwd: folder,
      maxBuffer: 1e8,
    });
    const { default: lighthouse } = (await import(path.join(folder, "node_modules/lighthouse/core/index.js"))) as { default: Lighthouse };
    for (const address of addresses) {
      let best = CATEGORIES.map(() => 0);
      for (let tries = 0; tries < 5 && best.some((score) => score < LEAST); tries++) {
        const { lhr } = await lighthouse(address, { port, logLevel: "silent", onlyCategories: CATEGORIES });
        best = CATEGORIES.map((name, at) => Math.max(best[at]!, Math.round((lhr.categories[name]?.score ?? 0) * 100)));
      }
      announce("Lighthouse", `${new URL(address).pathname} ${CATEGORIES.map((name, at) => `${name} ${best[at]}`).join(", ")}`);
      const isBusy = loadavg()[0]! > 2 * availableParallelism();
      if (isBusy) announce("Lighthouse", "the machine is busy: the performance is not judged");
      const judged = CATEGORIES.map((name, at) => [name, best[at]!] as const).filter(([name]) => !isBusy || name !== "performance");
      expect([address, judged.filter(([, score]) => score < LEAST)]).toEqual([address, []]);
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}
