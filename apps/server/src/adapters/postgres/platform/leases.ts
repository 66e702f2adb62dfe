import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fail } from "#domain/failure";
import type { Platform } from "#ports/platform";
import { oneAtATime } from "./one-at-a-time.ts";
import { run, type Scope } from "./scope.ts";

/** How long a lease lasts whose holder died; longer than any work under one. */
const LEASE_SECONDS = 60;
/** How long somebody waits for the one before, asking so often, in milliseconds. */
const PATIENCE_MILLIS = 10_000;
const ASK_MILLIS = 50;

/** Those on this node wait in line; only the first of them asks the database whether another node is at it. */
export function leases(scope: Scope): Platform["withLease"] {
  const turns = oneAtATime(Infinity);
  return (websiteId, name, work) =>
    turns(`${websiteId} ${name}`, async () => {
      const holder = randomUUID();
      for (let waited = 0; !(await take(scope, websiteId, name, holder)); waited += ASK_MILLIS) {
        if (waited >= PATIENCE_MILLIS) throw fail("UNAVAILABLE", "Someone else is changing this right now. Try again in a moment.");
        await delay(ASK_MILLIS);
      }
      try {
        return await work();
      } finally {
        await run(scope, "DELETE FROM website_leases WHERE website_id = $1 AND name = $2 AND holder = $3", [websiteId, name, holder]);
      }
    });
}

async function take(scope: Scope, websiteId: string, name: string, holder: string): Promise<boolean> {
  const taken = await run(
    scope,
    `INSERT INTO website_leases AS lease (website_id, name, holder, until)
     VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
     ON CONFLICT (website_id, name) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE lease.until < clock_timestamp()`,
    [websiteId, name, holder, LEASE_SECONDS],
  );
  return taken === 1;
}
