import { readdirSync, readFileSync } from "node:fs";

/** What the processes of the delivery bench agree on. */

export const POSTS = 10_000;
/** Websites with a key each, that are read in turn. */
export const WEBSITES = 500;
/** Posts of each of them: a page of these is what is asked for. */
export const POSTS_OF_MANY = 5;

/** People who write while readers read, each with a draft of their own that is saved once a second. */
export const WRITERS = 20;

export interface Seeded {
  readonly userId: string;
  /** The website with many posts, and its key. */
  readonly websiteId: string;
  readonly key: string;
  /** Of the many websites. */
  readonly keys: readonly string[];
}

export interface Served {
  /** As PUBLIC_URL has it. */
  readonly origin: string;
  readonly port: number;
  /** Answers the same, but keeps nothing. */
  readonly coldPort: number;
}

/** What a writer needs to write, over the private API as the dashboard does. */
export interface WriterSession {
  readonly port: number;
  readonly origin: string;
  readonly cookie: string;
  readonly websiteId: string;
}

/** One request, as bytes, and how often. */
export interface Load {
  readonly port: number;
  /** Sent in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly warmUpMillis: number;
  readonly millis: number;
}

export interface Measured {
  /** All of them, those of the warm-up too. */
  readonly answers: number;
  readonly requestsPerSecond: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  /** Answers by status: anything unexpected means that something else was measured. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How busy the client was, 0 to 1: near 1 it measured itself. */
  readonly clientBusy: number;
}

/** An answer of the service, to be sent by the bare server. */
export interface Answer {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Base64. */
  readonly body: string;
}

/** What a server process has taken so far. */
export interface ProcessUsage {
  readonly cpuMicros: number;
  /** With the processes that it started, which is its database. */
  readonly treeMicros: number;
  readonly rssBytes: number;
  /** Objects that live, and garbage unless it was collected. */
  readonly heapBytes: number;
  /** Memory outside the heap that buffers hold, whether they use all of it or not. */
  readonly bufferBytes: number;
}

export function usage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const cpuMicros = user + system;
  return { cpuMicros, treeMicros: cpuMicros + microsBelow(process.pid), rssBytes: rss, heapBytes: heapUsed, bufferBytes: arrayBuffers };
}

/** Processor time of a process and of those below it. */
export const microsOf = (pid: number): number => microsBelow(pid, true);

/** Processor time of all processes below one, as Linux tells it in hundredths of a second; elsewhere nothing is known of them. */
function microsBelow(parent: number, withItself = false): number {
  const processes = namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      // After the name of the program, which may hold anything: state, parent, …, and the times as 12th and 13th.
      const fields = read(`/proc/${name}/stat`).split(") ").at(-1)!.split(" ");
      return { pid: Number(name), parent: Number(fields[1]), micros: (Number(fields[11]) + Number(fields[12])) * 10_000 };
    });
  const below = (pid: number): number =>
    processes.filter((each) => each.parent === pid).reduce((sum, each) => sum + each.micros + below(each.pid), 0);
  const own = withItself ? (processes.find(({ pid }) => pid === parent)?.micros ?? 0) : 0;
  return own + below(parent);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty when the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
