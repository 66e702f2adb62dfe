/** What the processes of the delivery bench agree on. */

export const POSTS = 10_000;
/** Websites with a key each, that are read in turn. */
export const WEBSITES = 500;
/** Posts of each of them: a page of these is what is asked for. */
export const POSTS_OF_MANY = 5;

export interface Seeded {
  /** Of the website with many posts. */
  readonly key: string;
  /** Of the many websites. */
  readonly keys: readonly string[];
}

export interface Served {
  readonly port: number;
  /** Answers the same, but keeps nothing. */
  readonly coldPort: number;
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
  readonly rssBytes: number;
}

export function usage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() };
}
