import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** How long a server may take to say whether it takes writes, in milliseconds. */
const PROBE_MILLIS = 2_000;
/** Between two rounds of asking all of them. */
const RETRY_MILLIS = 250;

/** Several servers of which one takes writes, and which of them it is. */
export interface Hosts {
  /** The address of the server that took writes when it was last asked. */
  readonly current: string;
  /** A connection could not be opened, or leads to a server that follows: they are asked again, until one of them takes writes. */
  lost(): void;
  close(): void;
}

/** The addresses in `postgres://user@one:5432,two:5432/stet`, one each. */
export function splitHosts(url: string): readonly string[] {
  const [, before = "", hosts = "", after = ""] = /^([^/]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** Asks all of them, and waits for one that takes writes. Throws what the first one said when none does in time. */
export async function openHosts(urls: readonly string[], { patienceMillis = 10_000 } = {}): Promise<Hosts> {
  let current: string | null = null;
  let closed = false;
  let searching = false;
  let lastFailure: unknown = new Error("None of its servers takes writes.");

  async function search(until = Number.POSITIVE_INFINITY): Promise<void> {
    if (searching) return;
    searching = true;
    try {
      while (!closed) {
        const answers = await Promise.allSettled(urls.map(takesWrites));
        const writable = urls.filter((_, nth) => {
          const answer = answers[nth]!;
          return answer.status === "fulfilled" && answer.value;
        });
        // Nobody leaves a server that takes writes, even where another one does too.
        if (writable.length > 0) {
          if (current === null || !writable.includes(current)) current = writable[0]!;
          return;
        }
        lastFailure = answers.find((answer) => answer.status === "rejected")?.reason ?? lastFailure;
        if (performance.now() > until) throw lastFailure;
        await sleep(RETRY_MILLIS, undefined, { ref: false });
      }
    } finally {
      searching = false;
    }
  }

  await search(performance.now() + patienceMillis);
  return {
    get current() {
      return current!;
    },
    lost: () => void search(),
    close() {
      closed = true;
    },
  };
}

async function takesWrites(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MILLIS, query_timeout: PROBE_MILLIS });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ writable: boolean }>("SELECT NOT pg_is_in_recovery() AS writable");
    return rows[0]!.writable;
  } finally {
    client.end().catch(() => {});
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Connections to whichever of them takes writes. One that turns out to follow is refused, so that it is not kept. */
export const clientOf = (hosts: Hosts): new (config?: pg.ClientConfig) => pg.Client =>
  class extends pg.Client {
    #follows = false;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: hosts.current });
      // The server says so when the connection is opened.
      this.connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
        if (parameterName === "in_hot_standby") this.#follows = parameterValue === "on";
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const connecting = this.#connectToPrimary();
      if (!callback) return connecting;
      // oxlint-disable-next-line promise/no-callback-in-promise -- the pool asks with a callback
      connecting.then((client) => (callback as (error: null, client: pg.Client) => void)(null, client), callback as (error: Error) => void);
    }

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        if (!this.#follows) return this;
        void this.end();
        throw Object.assign(new Error("The server is a replica now."), { code: "25006" });
      } catch (error) {
        hosts.lost();
        throw error;
      }
    }
  };
