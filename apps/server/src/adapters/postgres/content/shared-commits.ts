import { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import type { Connection, Runner } from "./connection.ts";

/** How many share a commit at most: the first of them waits for the last. */
const MOST = 16;

type Work = (runner: Runner) => Promise<unknown>;

interface Waiting {
  readonly work: Work;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export type SharedCommits = <T>(websiteId: WebsiteId, work: (runner: Runner) => Promise<T>) => Promise<T>;

/**
 * Each write of a website locks its counters until it is on the disk, so writes at the same time wait for each other, each with a connection
 * in its hands. Here they wait without one: those that come while one is being written share the next transaction, and its commit.
 */
export function sharedCommits(connection: Connection): SharedCommits {
  /** A website is in it while one of its writes is on its way; with those that wait for it. */
  const waiting = new Map<WebsiteId, Waiting[]>();

  const alone = ({ work, resolve, reject }: Waiting): Promise<void> => work(connection).then(resolve, reject);

  async function together(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await connection.transaction(async (runner) => {
        const done: unknown[] = [];
        for (const { work } of batch) done.push(await work(runner));
        return done;
      });
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
    } catch (error) {
      // When the connection broke, nobody knows whether it was committed: as for one alone, each hears so, and nothing is written twice.
      if (error instanceof Failure) for (const { reject } of batch) reject(error);
      // Otherwise one of them failed, and all were taken back: the others must not suffer for it.
      else for (const each of batch) await alone(each);
    }
  }

  async function writeAll(websiteId: WebsiteId, first: Waiting): Promise<void> {
    const line: Waiting[] = [];
    waiting.set(websiteId, line);
    await alone(first);
    for (let batch = line.splice(0, MOST); batch.length > 0; batch = line.splice(0, MOST)) {
      await (batch.length === 1 ? alone(batch[0]!) : together(batch));
    }
    waiting.delete(websiteId);
  }

  return <T>(websiteId: WebsiteId, work: (runner: Runner) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const one: Waiting = { work, resolve: resolve as Waiting["resolve"], reject };
      const line = waiting.get(websiteId);
      if (line) line.push(one);
      else void writeAll(websiteId, one);
    });
}
