import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { measureHot } from "./own-database/hot.ts";
import { measureMany } from "./own-database/many.ts";
import { measureMoving } from "./own-database/moving.ts";
import { measureOpening } from "./own-database/opening.ts";

/**
 * `npm run bench -- own-database [many] [hot] [opening] [moving]`: websites in databases of their owners. "many": 1,000 of them, 300 dead, and hostile
 * ones beside; "hot": reads of the same page from an own database and from the service's own store; "opening": what a database costs to open, to keep and to close, and what the gate adds; "moving": 50,000 posts to such a
 * database while somebody writes. `--websites N`, `--rounds N` and `--posts N` make it smaller. It needs Linux, for its addresses and its numbers.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { websites: { type: "string" }, rounds: { type: "string" }, posts: { type: "string" } },
});
const PARTS = {
  many: () => measureMany(Number(values.websites ?? 1_000), values.rounds ? Number(values.rounds) : undefined),
  hot: () => measureHot(),
  opening: () => measureOpening(),
  moving: () => measureMoving(Number(values.posts ?? 50_000)),
} as const;
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

const results: Record<string, object> = {};
const missed: string[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const measured = await measure();
  results[name] = measured.result;
  missed.push(...measured.missed);
}
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("own-database.json", RESULTS), `${JSON.stringify(results, null, 2)}\n`);
if (missed.length > 0) {
  console.error(`Missed: ${missed.join(", ")}`);
  process.exitCode = 1;
}
