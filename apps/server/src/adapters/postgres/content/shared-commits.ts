import { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { currentWork } from "#domain/pool";
import type { Connection } from "./connection.ts";
import type { Fragment } from "./sql.ts";

/** Most writes in one commit: the first of them is answered only when the last is done. */
const MOST_TOGETHER = 16;
/** Up to so many waiting writes go together, and none of them is left for the next commit. */
const ALL_TOGETHER = 4;

/**
 * How many of the waiting writes share the next commit: half of them, so that the database writes one half while the service answers those
 * before. If all went at once, database and service would wait for each other by turns.
 */
const sizeOf = (line: readonly unknown[]): number => Math.min(MOST_TOGETHER, Math.max(ALL_TOGETHER, Math.ceil(line.length / 2)));

interface Waiting<Row> {
  readonly write: Fragment;
  resolve(row: Row): void;
  reject(error: unknown): void;
}

/** Runs a statement that writes to the website; answers its one row when it is on the disk. */
export type SharedCommits<Row> = (websiteId: WebsiteId, write: Fragment) => Promise<Row>;

/**
 * Each write of a website locks its counters until it is on the disk, so writes at the same time wait for each other, each with a connection
 * in its hands. Here they wait without one: those that come while one is being written share the next transaction, its round trip and
 * its commit.
 */
export function sharedCommits<Row extends object>(connection: Connection): SharedCommits<Row> {
  /** A website is in it while one of its writes is on its way; with those that wait for it. By pool, so that nobody waits for a job's connection. */
  const waiting = new Map<string, Waiting<Row>[]>();

  const alone = ({ write, resolve, reject }: Waiting<Row>): Promise<void> =>
    connection.prepared<Row>(write).then(([row]) => resolve(row!), reject);

  async function together(batch: readonly Waiting<Row>[]): Promise<void> {
    try {
      const results = await connection.inOneCommit<Row>(batch.map(({ write }) => write));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]![0]!);
    } catch (error) {
      // When the connection broke, nobody knows whether it was committed: as for one alone, each hears so, and nothing is written twice.
      if (error instanceof Failure) for (const { reject } of batch) reject(error);
      // Otherwise one of them failed, and all were taken back: the others must not suffer for it.
      else for (const each of batch) await alone(each);
    }
  }

  async function writeAll(name: string, first: Waiting<Row>): Promise<void> {
    const line: Waiting<Row>[] = [];
    waiting.set(name, line);
    await alone(first);
    for (let batch = line.splice(0, sizeOf(line)); batch.length > 0; batch = line.splice(0, sizeOf(line))) {
      await (batch.length === 1 ? alone(batch[0]!) : together(batch));
    }
    waiting.delete(name);
  }

  return (websiteId, write) =>
    new Promise((resolve, reject) => {
      const one: Waiting<Row> = { write, resolve, reject };
      const name = `${currentWork().pool} ${websiteId}`;
      const line = waiting.get(name);
      if (line) line.push(one);
      else void writeAll(name, one);
    });
}
