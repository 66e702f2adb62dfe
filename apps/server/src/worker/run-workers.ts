import { isWorse } from "#domain/disk-space";
import type { WebsiteId } from "#domain/ids";
import { noLongerThan } from "#domain/no-longer-than";
import { HOUR, MINUTE, SECOND } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import { forgetReaderDays, forgetVisitors } from "./forget-readers.ts";
import { forgetToolCalls } from "./forget-tool-calls.ts";
import { forgetTraffic } from "./forget-traffic.ts";
import { forgetSignIns } from "./forget-sign-ins.ts";
import { forgetMails, sendMails } from "./mails/send-mails.ts";
import { type StoreSweep, sweepOwnStores } from "./own-stores.ts";
import { runMove } from "./moving/run-move.ts";
import { probeOwnDatabases } from "./probe-own-databases.ts";
import { publishDue } from "./scheduler.ts";
import { recordFiles } from "./record-files.ts";
import { settleFiles } from "./settle-files.ts";
import { settleImports } from "./settle-imports.ts";
import { stripImages } from "./strip-images.ts";
import {
  countOlderPosts,
  eraseDeleted,
  forgetEvents,
  forgetRecordsBeside,
  purgeMedia,
  purgeTrash,
  reindexSearch,
  renderOutdated,
  settlePending,
  type Sweep,
} from "./sweeps.ts";
import { freeClaims, thinRevisions, type Walk } from "./walks.ts";
import { watchDisk } from "./watch-disk.ts";
import { createDeliverer } from "./webhooks/deliverer.ts";
import { forgetDeliveries } from "./webhooks/forget-deliveries.ts";

interface Job {
  readonly name: string;
  /** How long it rests when there is nothing left to do. */
  readonly everyMillis: number;
  /** How long it rests when there is; without it, it goes on at once. */
  readonly pauseMillis?: number;
  /**
   * Answers how much it did; 0: there is nothing left. A little at a time, because the end of the service waits for it. One that waits for
   * databases of others goes on without them when `stopping` is aborted.
   */
  run(services: Services, stopping: AbortSignal): Promise<number>;
}

/** Through everything there is, a step a second: what it costs does not grow with the store, only how long it takes. */
function walking<Position>(name: string, everyMillis: number, walk: Walk<Position>): StoreSweep {
  /** Where it is, in our own store and in those of websites. */
  const positions = new Map<WebsiteId | null, Position>();
  const sweep: Sweep = async (services, content, of = null) => {
    const next = await walk(services, content, positions.get(of), of);
    if (next === null) positions.delete(of);
    else positions.set(of, next);
    return next === null ? 0 : 1;
  };
  return { name, everyMillis, pauseMillis: SECOND, sweep };
}

/** What is done in every store. */
const SWEEPS: readonly StoreSweep[] = [
  { name: "settle pending", everyMillis: 5 * SECOND, sweep: settlePending },
  { name: "count posts", everyMillis: MINUTE, sweep: countOlderPosts },
  { name: "render again", everyMillis: MINUTE, sweep: renderOutdated, rewrites: true },
  { name: "index again", everyMillis: MINUTE, sweep: reindexSearch, rewrites: true },
  { name: "forget decided suggestions", everyMillis: HOUR, sweep: forgetRecordsBeside, rewrites: true },
  { name: "empty the trash", everyMillis: 10 * MINUTE, sweep: purgeTrash },
  { name: "remove trashed images", everyMillis: 10 * MINUTE, sweep: purgeMedia },
  walking("thin revisions", HOUR, thinRevisions),
  walking("free slug claims", HOUR, freeClaims),
  walking("strip images", MINUTE, stripImages),
  walking("record files", HOUR, recordFiles),
];

/** A sweep over the install's own store. */
const overOurStore = ({ sweep, rewrites, ...job }: StoreSweep): Job => ({
  ...job,
  async run(services) {
    if (rewrites && services.disk.hasDatabase && isWorse((await services.disk.read()).level, "low")) return 0;
    return sweep(services, services.contents.managed);
  },
});

/** The jobs, and how often each looks for work. Every job may run on several nodes at once. */
const JOBS: readonly Job[] = [
  { name: "scheduler", everyMillis: 500, run: (services, stopping) => publishDue(services, undefined, stopping) },
  ...SWEEPS.map(overOurStore),
  { name: "sweep customers' databases", everyMillis: 30 * SECOND, run: sweepOwnStores(SWEEPS) },
  { name: "probe customers' databases", everyMillis: 30 * SECOND, run: probeOwnDatabases },
  { name: "watch the disk", everyMillis: 2 * SECOND, run: watchDisk },
  { name: "settle files", everyMillis: MINUTE, run: settleFiles },
  // Side by side, so that a store that hangs delays few others.
  ...[1, 2, 3].map((lane) => ({
    name: `move images or content, lane ${lane}`,
    everyMillis: 2 * SECOND,
    run: (services: Services) => runMove(services),
  })),
  { name: "settle imports", everyMillis: 30 * SECOND, run: settleImports },
  { name: "send mails", everyMillis: 5 * SECOND, run: sendMails },
  { name: "forget old mails", everyMillis: HOUR, run: forgetMails },
  { name: "forget visitors", everyMillis: 10 * MINUTE, run: forgetVisitors },
  { name: "forget old reader numbers", everyMillis: HOUR, run: forgetReaderDays },
  { name: "forget old traffic", everyMillis: HOUR, run: forgetTraffic },
  { name: "forget old sign-ins", everyMillis: 10 * MINUTE, run: forgetSignIns },
  { name: "forget old events", everyMillis: HOUR, run: forgetEvents },
  { name: "forget old deliveries", everyMillis: HOUR, run: forgetDeliveries },
  { name: "forget old tool calls", everyMillis: HOUR, run: forgetToolCalls },
  { name: "erase deleted websites", everyMillis: HOUR, run: eraseDeleted },
];

export interface WorkerOptions {
  readonly jobs?: readonly Job[];
  /** Asked before each run of a job: a node whose clock is far off leaves the work to others. */
  readonly mayRun?: () => boolean;
  /** How long a stop waits for jobs at work, in milliseconds. */
  readonly graceMillis?: number;
}

/** A job that is left is done again from where it was, as after a kill. */
const GRACE_MILLIS = 10 * SECOND;

/** How soon a job that may not run asks again, in milliseconds. */
const ASK_AGAIN_MILLIS = 5 * SECOND;

/** Starts every job; the returned function stops them and waits for those at work, but not for ever. */
export function runWorkers(services: Services, options: WorkerOptions = {}): () => Promise<void> {
  const { jobs = JOBS, mayRun = () => true, graceMillis = GRACE_MILLIS } = options;
  const deliverer = createDeliverer(services, { mayRun });
  deliverer.start();
  const stops = [
    { name: "webhooks", stop: deliverer.stop },
    ...jobs.map((job) => ({ name: job.name, stop: repeat(services, job, mayRun) })),
  ];
  return async () => {
    const left: string[] = [];
    const stopping = stops.map(async ({ name, stop }) => {
      if (!(await noLongerThan(graceMillis, stop()))) left.push(`"${name}"`);
    });
    await Promise.all(stopping);
    if (left.length > 0) services.onTrouble("Jobs did not end in time and are left to the next start", new Error(left.join(", ")));
  };
}

function repeat(services: Services, job: Job, mayRun: () => boolean): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let wake = (): void => {};
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      let did = 0;
      const may = mayRun();
      try {
        if (may) did = await job.run(services, signal);
      } catch (error) {
        services.onTrouble(`The job "${job.name}" failed; it is tried again`, error);
      }
      const whenDone = may ? job.everyMillis : Math.min(job.everyMillis, ASK_AGAIN_MILLIS);
      const restMillis = did > 0 ? (job.pauseMillis ?? 0) : whenDone;
      if (restMillis === 0 || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, restMillis);
      });
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    wake();
    await running;
  };
}
