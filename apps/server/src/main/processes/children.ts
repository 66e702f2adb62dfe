import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { createProcessMetrics } from "#http/metrics";
import type { Log } from "../log.ts";
import type { Hub, Sibling } from "./hub.ts";
import { type ChildStart, steadyMillis, type ToChild, type ToParent } from "./messages.ts";

/** How often the parent says that it is there, in milliseconds. */
const BEAT_MILLIS = 500;
/**
 * A process that has not answered so many beats in a row, half a minute of them, hangs: it is replaced. Beats are counted and not time: a parent
 * that stood still itself, as on a machine that was paused, sent none.
 */
const MOST_UNANSWERED = 60;
/** One that ended soon after it began is replaced after a pause that doubles, in milliseconds. */
const SHORT_LIFE_MILLIS = 10_000;
const LONGEST_PAUSE_MILLIS = 10_000;

/** How long those that serve wait for the end of those that still start, in milliseconds. */
const STARTING_MILLIS = 1_000;

/** A serving process, from its start to its end. */
interface Child extends Sibling {
  readonly number: number;
  readonly worker: Worker;
  readonly startedAt: number;
  /** Beats since it was heard. Null: it does not serve yet. Starting takes as long as it takes. */
  unanswered: number | null;
}

export interface Children {
  /** Kept when all serve; broken when one ends before it ever did. */
  readonly ready: Promise<void>;
  /** Lets them finish their requests; ends those that take longer than `graceMillis`. */
  stop(graceMillis: number): Promise<void>;
}

/** Starts so many serving processes, and replaces those that end. */
export function startChildren(start: Omit<ChildStart, "number">, hub: Hub, log: Log, now: () => number = steadyMillis): Children {
  // All processes accept from one socket: one that hangs takes no connections, and one that is killed takes none with it that it has not
  // accepted. When the parent hands them out, the one that is on its way to a process that dies hangs for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const children = new Set<Child>();
  const timers = new Set<NodeJS.Timeout>();
  const serving = new Set<number>();
  let isStopping = false;
  let hasStarted = false;
  let measureId = 0;
  const ownMetrics = createProcessMetrics();
  const measuring = new Map<number, (child: Child, text: string) => void>();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  ready.catch(() => {});

  function begin(number: number, pauseMillis = 250): void {
    let worker: Worker;
    try {
      worker = cluster.fork();
    } catch (error) {
      // Such as for lack of memory. It ends nobody else, and passes.
      return again(number, String(error), pauseMillis, true);
    }
    const child: Child = {
      number,
      worker,
      startedAt: now(),
      unanswered: null,
      send(message: ToChild) {
        if (worker.isConnected()) worker.send(message, () => {});
      },
    };
    children.add(child);
    worker.on("message", (message: ToParent) => received(child, message));
    // Its requests are done, and so it answers from memory no more: no change waits for it.
    worker.once("disconnect", () => hub.remove(child));
    worker.on("error", (error) => {
      log.warn({ err: error, child: number }, "The channel to a serving process failed");
      // One that the system did not start has no end to hear of.
      if (worker.process.pid === undefined) ended(child, error.message, pauseMillis);
    });
    worker.once("exit", (code, signal) => ended(child, signal ?? `code ${code}`, pauseMillis));
  }

  function received(child: Child, message: ToParent): void {
    if (child.unanswered !== null || message.type === "ready") child.unanswered = 0;
    if (message.type === "loaded") {
      child.send({ type: "start", start: { ...start, number: child.number } });
      hub.add(child);
    } else if (message.type === "measured") measuring.get(message.id)?.(child, message.text);
    else if (message.type === "measure") void measure().then((texts) => child.send({ type: "measured", id: message.id, texts }));
    else if (message.type === "ready") {
      hub.ready(child);
      serving.add(child.number);
      if (serving.size === start.processes && !hasStarted) {
        hasStarted = true;
        resolve();
      }
    } else hub.received(child, message);
  }

  function ended(child: Child, how: string, pauseMillis: number): void {
    if (!children.delete(child)) return;
    hub.remove(child);
    again(child.number, how, pauseMillis, now() - child.startedAt < SHORT_LIFE_MILLIS);
  }

  function again(number: number, how: string, pauseMillis: number, wasShort: boolean): void {
    if (isStopping) return;
    if (!hasStarted) {
      reject(new Error(`Serving process ${number} did not start (${how}). What it said is above.`));
      return;
    }
    log.error({ child: number }, `A serving process ended (${how}). Starting another one …`);
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        begin(number, wasShort ? Math.min(pauseMillis * 2, LONGEST_PAUSE_MILLIS) : 250);
      },
      wasShort ? pauseMillis : 0,
    );
    timers.add(timer);
  }

  const beats = setInterval(() => {
    hub.beat();
    for (const child of children) {
      if (child.unanswered === null || ++child.unanswered <= MOST_UNANSWERED) continue;
      log.error({ child: child.number }, "A serving process does not answer any more, so it is ended");
      child.worker.process.kill("SIGKILL");
    }
  }, BEAT_MILLIS);

  const servingNow = () => [...children].filter(({ unanswered }) => unanswered !== null);

  async function measure(): Promise<readonly string[]> {
    const id = ++measureId;
    const asked = new Set(servingNow());
    const texts: string[] = [];
    await new Promise<void>((done) => {
      const timer = setTimeout(done, 1_000);
      measuring.set(id, (child, text) => {
        texts.push(text);
        asked.delete(child);
        if (asked.size > 0) return;
        clearTimeout(timer);
        done();
      });
      for (const child of asked) child.send({ type: "measure", id });
    });
    measuring.delete(id);
    const running = [
      "# HELP stet_processes Processes that answer requests.",
      "# TYPE stet_processes gauge",
      `stet_processes ${servingNow().length}`,
    ];
    return [...texts, running.join("\n"), ownMetrics()];
  }

  for (let number = 1; number <= start.processes; number++) begin(number);

  return {
    ready,
    async stop(graceMillis) {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      const endOf = ({ worker }: Child) => new Promise((done) => (worker.isDead() ? done(null) : worker.once("exit", done)));
      const ending = [...children].map(endOf);
      // Whoever has a part of the socket and does not accept has it no longer when the last one stops accepting: connections that came in
      // between would be reset. Those that still start are ended (a message would be lost while they load), and the parent gives its part up.
      const starting = [...children].filter(({ unanswered }) => unanswered === null);
      for (const { worker } of starting) worker.process.kill("SIGTERM");
      if (starting.length > 0) await Promise.race([Promise.all(starting.map(endOf)), sleep(STARTING_MILLIS, null, { ref: false })]);
      for (const { worker } of children) {
        worker.disconnect();
        worker.process.kill("SIGTERM");
      }
      const cut = setTimeout(() => {
        for (const { number, worker } of children) {
          log.error({ child: number }, "A serving process did not end in time, so it is killed");
          worker.process.kill("SIGKILL");
        }
      }, graceMillis);
      await Promise.all(ending);
      clearInterval(beats);
      clearTimeout(cut);
    },
  };
}
