import { readFileSync } from "node:fs";
import path from "node:path";
import { createClient } from "@stet/client";
import { expect, test } from "vitest";
import { passOn } from "../examples/next/lib/feed.ts";
import { missingEntries, readLock } from "./lock-systems.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

test.each(["examples/astro", "examples/next"])(
  "the lock file of %s names every system's packages, no registry and no hash of ours",
  (folder) => {
    const lock = readLock(folder);
    expect(Object.keys(missingEntries(lock)), `else: npx node tools/lock-systems.ts ${folder}`).toEqual([]);
    // A hash of the packed client library would refuse the next one.
    expect(lock.packages["node_modules/@stet/client"]?.integrity).toBeUndefined();
    const resolved = Object.values(lock.packages).flatMap((entry) => entry.resolved ?? []);
    expect(resolved).toEqual(["file:stet-client.tgz"]);
  },
);

test("both starters look alike", () => {
  const [astro, next] = ["examples/astro/src/styles.css", "examples/next/app/globals.css"].map((file) =>
    readFileSync(path.join(ROOT, file), "utf8"),
  );
  expect(astro).toBe(next);
});

test.each([401, 403, 404, 429, 500, 503])(
  "a feed of the Next.js starter that Stet answers with %i fails, so that the last good one stays",
  async (status) => {
    await expect(passOn(feedAnswering(status), "application/rss+xml")).rejects.toThrow("What to do.");
  },
);

test("a feed of the Next.js starter without a public address is not there, and says what to do", async () => {
  const response = await passOn(feedAnswering(422), "application/rss+xml");
  expect([response.status, await response.text()]).toEqual([404, "ANY: What to do."]);
});

function feedAnswering(status: number): Promise<string> {
  const answer = async () => Response.json({ status, code: "ANY", detail: "What to do." }, { status });
  return createClient({ apiKey: "key", url: "http://stet.example", fetch: answer, retries: 0 }).feeds.rss();
}
