import type { Time } from "./time.ts";

/** How many requests go out at a time, and how fast. */
export interface Pace {
  /** Waits for a turn; call what it answers when the request has ended. Rejects when the signal is aborted first. */
  enter(signal: AbortSignal | undefined): Promise<() => void>;
  /** Learns from the headers of an answer. */
  heard(headers: Headers): void;
  /** Nobody asks for so long. */
  pause(millis: number): void;
}

/**
 * The server tells with every answer how many requests it would take now (`RateLimit: "burst";r=3;t=10`). The client counts along and
 * waits when none are left, instead of being refused. What comes back a second is read from how long the bucket takes to fill: a
 * client has two, and the header tells of the one that refuses first.
 */
export function createPace(concurrency: number, time: Time): Pace {
  let active = 0;
  /** Sent and not answered yet. */
  let sent = 0;
  const waiting: (() => void)[] = [];
  let tokens = Number.POSITIVE_INFINITY;
  let size = Number.POSITIVE_INFINITY;
  let perMilli = 0;
  let countedAt = 0;
  let pausedUntil = 0;

  /** The turn goes to the one who waits longest. Were it only given back, somebody who asks in this moment would have it too. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else active -= 1;
  };

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw signal.reason;
    if (active < concurrency) active += 1;
    else {
      await new Promise<void>((resolve, reject) => {
        const go = () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const stop = () => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(signal!.reason as Error);
        };
        waiting.push(go);
        signal?.addEventListener("abort", stop, { once: true });
      });
    }
  }

  /** Takes a token, or answers how long to wait for one. */
  function take(): number {
    const now = time.now();
    if (now < pausedUntil) return pausedUntil - now;
    tokens = Math.min(size, tokens + (now - countedAt) * perMilli);
    countedAt = now;
    if (tokens >= 1 || perMilli <= 0) {
      tokens -= 1;
      sent += 1;
      return 0;
    }
    return Math.ceil((1 - tokens) / perMilli);
  }

  return {
    async enter(signal) {
      await turn(signal);
      try {
        for (let wait = take(); wait > 0; wait = take()) await time.sleep(wait, signal);
      } catch (error) {
        leave();
        throw error;
      }
      return () => {
        sent -= 1;
        leave();
      };
    },
    heard(headers) {
      const burst = /"burst";r=(\d+);t=(\d+)/.exec(headers.get("ratelimit") ?? "");
      const policy = /"burst";q=(\d+)/.exec(headers.get("ratelimit-policy") ?? "");
      if (!burst || !policy) return;
      size = Number(policy[1]);
      const [left, seconds] = [Number(burst[1]), Number(burst[2])];
      // Those on their way may not have been counted yet.
      tokens = left - (sent - 1);
      perMilli = Math.max(1, size - left) / Math.max(1, seconds) / 1_000;
      countedAt = time.now();
    },
    pause(millis) {
      pausedUntil = Math.max(pausedUntil, time.now() + millis);
    },
  };
}
