import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./ask.ts";
import { shownLine } from "./shown.ts";
import { signEvent } from "./sign-event.ts";

interface EventPage {
  readonly after: number;
  /** Bodies, as a webhook carries them. */
  readonly events: readonly string[];
}

const PAUSE_MILLIS = 3_000;
const ATTEMPT_MILLIS = 15_000;

/** From now on, each event once, in order; until `signal`. A program that is down misses what happens meanwhile, and is told so. */
export async function forwardEvents(options: {
  websiteId: string;
  forward: string;
  secret: string;
  signal: AbortSignal;
  tell: (line: string) => void;
}): Promise<void> {
  const { websiteId, signal, tell } = options;
  const page = (after: number | null) =>
    ask<EventPage>(`/api/cli/events?website=${websiteId}${after === null ? "" : `&after=${after}`}`, signal);
  let { after } = await page(null);
  // Said when it is true: what was published a moment earlier is not sent.
  tell(`Forwarding new events of ${websiteId} to ${options.forward}. Stop with Ctrl-C.`);
  while (!signal.aborted) {
    try {
      const { events, after: next } = await page(after);
      for (const body of events) await forward(options, body);
      after = next;
    } catch (error) {
      if (signal.aborted) return;
      tell(error instanceof Error ? error.message : String(error));
      // A sign-in that has ended does not come back by waiting.
      if (error instanceof Error && error.message.includes("stet login")) throw error;
      await sleep(PAUSE_MILLIS, undefined, { signal }).catch(() => {});
    }
  }
}

async function forward(options: { forward: string; secret: string; signal: AbortSignal; tell: (line: string) => void }, body: string) {
  const { id, type } = JSON.parse(body) as { id: string; type: string };
  const started = performance.now();
  const headers = {
    "Content-Type": "application/json",
    "Service-Signature": signEvent(body, options.secret, new Date()),
    "Stet-Event-Id": id,
    "Stet-Attempt": "1",
  };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(ATTEMPT_MILLIS)]);
  const outcome = await fetch(options.forward, { method: "POST", headers, body, redirect: "manual", signal }).then(
    ({ status }) => String(status),
    (error: unknown) => (isRefused(error) ? "nothing is listening there; start your program" : "no answer"),
  );
  options.tell(shownLine(`${type} ${id} → ${outcome} (${Math.round(performance.now() - started)} ms)`));
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { code?: string } | undefined)?.code === "ECONNREFUSED";
