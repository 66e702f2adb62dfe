import type { ServerResponse } from "node:http";
import { fail } from "#domain/failure";

/** A service that must answer before this one can serve: its name for people, and a function that throws while it does not. */
export interface ReadinessCheck {
  readonly name: string;
  run(): Promise<void>;
}

const TIMEOUT_MILLIS = 2_000;

/** `/healthz`: the process runs and answers. True also while it stops or waits for its database. */
export function answerAlive(response: ServerResponse): void {
  sendStatus(response, "alive");
}

/** `/readyz`: everything it needs answers. Many callers at once cause one round of questions. */
export function createReadiness(checks: readonly ReadinessCheck[], isStopping: () => boolean): (response: ServerResponse) => Promise<void> {
  let running: Promise<readonly string[]> | null = null;
  return async (response) => {
    if (isStopping()) throw fail("UNAVAILABLE", "The service is stopping. Send requests to another node.");
    running ??= findFailing(checks).finally(() => (running = null));
    const failing = await running;
    if (failing.length > 0) {
      throw fail("UNAVAILABLE", `Not ready: ${failing.join(" and ")} ${failing.length > 1 ? "do" : "does"} not respond. See the log.`, {
        failing,
      });
    }
    sendStatus(response, "ready");
  };
}

async function findFailing(checks: readonly ReadinessCheck[]): Promise<readonly string[]> {
  const results = await Promise.all(checks.map(async (check) => ((await answers(check)) ? null : check.name)));
  return results.filter((name) => name !== null);
}

async function answers(check: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MILLIS, false);
  });
  try {
    return await Promise.race([
      check.run().then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function sendStatus(response: ServerResponse, status: string): void {
  const body = JSON.stringify({ status });
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store", "Content-Length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
