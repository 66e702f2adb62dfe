import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { throughput } from "./measure.ts";
import { openSignedIn } from "./signed-in-service.ts";

/**
 * `npm run bench -- saves`: how many posts a second are created, saved while they are written, and published over the private API, eight at
 * once in one website, on the embedded PostgreSQL with `fsync` and `synchronous_commit` on. With `--against PATH`, a checkout of another
 * commit with its packages installed, both run as services of their own and are asked by turns; the middle of the rounds' ratios counts,
 * and a missed target fails.
 */
const AT_ONCE = 8;
const ROUNDS = 7;
const SAVES = 160;
const PARAGRAPH = "What is written is saved as it is written, and nobody is made to wait for it. ".repeat(20);
const TARGETS: Readonly<Record<Kind, number>> = { creates: 2.6, autosaves: 3, publishes: 2 };
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

type Kind = "creates" | "autosaves" | "publishes";

interface Draft {
  readonly id: string;
  version: number;
}

/** A service of this checkout or another one, in a data folder of its own, with somebody signed in. */
async function openWriter(root: string, data: string) {
  const { service, websiteId, cookie } = await openSignedIn(root, data);
  // Who asks shares the cores with who answers, and `fetch` costs twice as much as this.
  const agent = new Agent({ keepAlive: true });
  const headers = { "Content-Type": "application/json", Origin: service.url, Cookie: cookie };
  const call = async (operation: string, input: object): Promise<Draft> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(`${service.url}/api/rpc/${operation}`, { method: "POST", agent, headers }, resolve)
      .once("error", reject)
      .end(JSON.stringify({ websiteId, ...input }));
    const response = await promise;
    const answer = await json(response);
    if (response.statusCode !== 200) throw new Error(`${operation} was answered with ${response.statusCode}: ${JSON.stringify(answer)}`);
    return (answer as { data: Draft }).data;
  };
  let titles = 0;
  const create = () => call("create_post", { title: `Post number ${++titles}`, body: PARAGRAPH });
  return {
    stop: () => {
      agent.destroy();
      return service.stop();
    },
    /** How many a second, of each kind. */
    async round(): Promise<Record<Kind, number>> {
      const drafts: Draft[] = [];
      const creates = await throughput(SAVES, AT_ONCE, async () => void drafts.push(await create()));
      // As many people as are at it at once, each in a post of their own.
      const writing = drafts.slice(0, AT_ONCE);
      const autosaves = await throughput(SAVES, AT_ONCE, async () => {
        const draft = writing.shift()!;
        const body = `${PARAGRAPH}${draft.version}`;
        draft.version = (await call("edit_post", { postId: draft.id, expectedVersion: draft.version, body, autosave: true })).version;
        writing.push(draft);
      });
      const publishes = await throughput(SAVES, AT_ONCE, (n) =>
        call("publish_post", { postId: drafts[n]!.id, expectedVersion: drafts[n]!.version }),
      );
      return { creates, autosaves, publishes };
    },
  };
}

const { values: given } = parseArgs({ options: { against: { type: "string" }, rounds: { type: "string" } } });
const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const here = path.resolve(import.meta.dirname, "../../..");
const roots = given.against ? [here, path.resolve(given.against)] : [here];
const rounds: Record<Kind, number>[][] = roots.map(() => []);
const writers = [];
try {
  for (const [index, root] of roots.entries()) writers.push(await openWriter(root, path.join(folder, String(index))));
  for (const writer of writers) await writer.round();
  for (let round = 0; round < Number(given.rounds ?? ROUNDS); round++) {
    // Who comes second is a twentieth faster, whoever it is.
    const turns = [...writers.entries()];
    for (const [index, writer] of round % 2 === 0 ? turns : turns.toReversed()) rounds[index]!.push(await writer.round());
  }
} finally {
  for (const writer of writers) await writer.stop();
  await rm(folder, { recursive: true, force: true });
}

const [ours, theirs] = rounds;
const rows = (Object.keys(TARGETS) as Kind[]).map((kind) => ({
  kind,
  "a second": Math.round(middle(ours!.map((round) => round[kind]))),
  ...(theirs && {
    against: Math.round(middle(theirs.map((round) => round[kind]))),
    times: Math.round(middle(ours!.map((round, n) => round[kind] / theirs[n]![kind])) * 100) / 100,
    target: TARGETS[kind],
  }),
}));
console.log(`${SAVES} of each in a round, ${AT_ONCE} at once, one website.`);
console.table(rows);
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("saves.json", RESULTS), `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some((row) => row.times !== undefined && row.times < TARGETS[row.kind])) process.exitCode = 1;

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
