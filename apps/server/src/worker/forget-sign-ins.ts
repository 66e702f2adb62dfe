import { DAY, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

/** Expired for a day, so that a person who comes late is still told that it expired, not that it never existed. */
const KEPT_MILLIS = DAY;
const BATCH = 1_000;

/** Sessions, codes, tokens and questions that have expired are forgotten, and connections that nothing can use any more are ended. */
export async function forgetSignIns({ accounts, connections, oauthRecords, clock }: Services): Promise<number> {
  const before = clock().getTime() - KEPT_MILLIS;
  const sessions = await accounts.forgetSessions(timestamp(before), BATCH);
  const forgotten = await oauthRecords.forgetExpired(Math.floor(before / 1_000), BATCH);
  const lapsed = await connections.listLapsed(timestamp(before), BATCH);
  for (const id of lapsed) await connections.revoke(id, timestamp(clock()));
  return sessions + forgotten + lapsed.length;
}
