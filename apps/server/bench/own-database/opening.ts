import { MongoClient } from "mongodb";
import type { WebsiteId } from "#domain/ids";
import { allowedAddresses } from "#domain/network-addresses";
import type { ContentStore } from "#ports/content-store";
import { mongoContentOn } from "#adapters/mongodb/open";
import { openManyClusters } from "#test/own-databases/many-clusters";
import { testOwnDatabases } from "#test/own-databases/through-the-gate";
import { testId } from "#test/builders";
import { throughput } from "../measure.ts";
import { middle, openFiles, round2 } from "./shared.ts";

const DATABASES = 200;
const ROUNDS = 9;
const READS = 500;

/** What a customer's database costs this process, without TLS: its server is another process. */
export async function measureOpening(): Promise<{ result: object; missed: string[] }> {
  const clusters = await openManyClusters();
  const databases = testOwnDatabases({ allowed: allowedAddresses(["127.1.0.0/16"]) });
  const site = (n: number): WebsiteId => testId("website", n + 1);
  const list = ({ posts }: ContentStore, n: number) => posts.listLive(site(n), { sort: "title", after: null, limit: 10 });
  const at = (n: number) => databases.withCluster(site(n), { url: clusters.healthy(n), ca: null }, ({ content }) => list(content, n));
  const direct = new MongoClient(clusters.healthy(0), { maxPoolSize: 10 });
  try {
    const plain = mongoContentOn(direct.db("blog"), { onVisibleChange: async () => {} });
    // What is loaded and compiled with the first of them is not the cost of one.
    for (let n = DATABASES; n < DATABASES + 20; n++) await at(n);
    for (let n = DATABASES; n < DATABASES + 20; n++) databases.forget(site(n));
    await list(plain, 0);
    const size = () => ({ sockets: openFiles(process.pid), megabytes: process.memoryUsage.rss() / 1e6 });
    const before = size();
    const opening = await costOf(DATABASES, () => throughput(DATABASES, 8, at));
    const after = size();
    const again = await costOf(DATABASES, () => throughput(DATABASES, 8, at));

    const rounds = { gate: [] as number[], direct: [] as number[], gateMillis: [] as number[], directMillis: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const gate = await costOf(READS, () => throughput(READS, 1, () => at(0)));
      const without = await costOf(READS, () => throughput(READS, 1, () => list(plain, 0)));
      rounds.gate.push(gate.cpuMillis);
      rounds.direct.push(without.cpuMillis);
      rounds.gateMillis.push(gate.millis);
      rounds.directMillis.push(without.millis);
    }
    const closing = await costOf(DATABASES, async () => {
      for (let n = 0; n < DATABASES; n++) databases.forget(site(n));
      while ((await clusters.counts()).addresses > 1);
    });
    const table = {
      "open and read the first time": opening,
      "read, open": again,
      close: closing,
      "read through the gate, one at a time": { cpuMillis: round2(middle(rounds.gate)), millis: round2(middle(rounds.gateMillis)) },
      "read without the gate": { cpuMillis: round2(middle(rounds.direct)), millis: round2(middle(rounds.directMillis)) },
    };
    console.table(table);
    const kept = {
      "sockets a database": round2((after.sockets - before.sockets) / DATABASES),
      "megabytes a database": round2((after.megabytes - before.megabytes) / DATABASES),
      "the gate, times the processor time of a read": round2(middle(rounds.gate.map((each, n) => each / rounds.direct[n]!))),
    };
    console.table(kept);
    return { result: { table, kept }, missed: [] };
  } finally {
    await direct.close();
    await databases.close();
    await clusters.close();
  }
}

/** For each of so many, in milliseconds of this process's processor time and of waiting. */
async function costOf(count: number, work: () => Promise<unknown>): Promise<{ cpuMillis: number; millis: number }> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  return { cpuMillis: round2((used.user + used.system) / 1_000 / count), millis: round2((performance.now() - started) / count) };
}
