import type { Database } from "#adapters/postgres/database";
import type { Config } from "../config.ts";
import { openRateLedger } from "../rates.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

/** A ledger that takes longer is of no use: requests wait for it, in milliseconds. */
const PATIENCE_MILLIS = 3_000;

/** The ledger that several nodes would share, tried with a bucket of its own, and whether the nodes that run agree on it. */
export async function checkLimits(database: Database, config: Pick<Config, "redisUrl">): Promise<readonly Finding[]> {
  const findings = [await checkLedger(database, config)];
  const { rows } = await database.query<{ ledger: string; nodes: number }>({
    text: "SELECT ledger, count(*)::int AS nodes FROM rate_nodes WHERE seen_at > clock_timestamp() - interval '5 seconds' GROUP BY ledger ORDER BY ledger",
  });
  if (rows.length > 1) {
    const each = rows.map(({ ledger, nodes }) => `${nodes} with ${ledger}`).join(", ");
    findings.push(warning(`Limits: the running nodes do not share them (${each}). Give every node the same REDIS_URL, or none.`));
  }
  return findings;
}

async function checkLedger(database: Database, config: Pick<Config, "redisUrl">): Promise<Finding> {
  const ledger = await openRateLedger(config, database, "doctor");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${PATIENCE_MILLIS / 1_000} s`)), PATIENCE_MILLIS);
  });
  try {
    const question = { key: "doctor", ratePerSecond: 1_000, burst: 1, least: 1, most: 1, atMost: 1, returned: 0 };
    await Promise.race([ledger.open().then(() => ledger.borrow([question])), late]);
    return good(`Limits: several nodes would share them in ${ledger.name}.`);
  } catch (error) {
    const { message } = error as Error;
    return problem(
      `Limits: ${ledger.name} cannot keep them for several nodes: ${message}. Check REDIS_URL, and that the server runs. Until then each node has its part of every limit.`,
    );
  } finally {
    clearTimeout(timer);
    await ledger.close();
  }
}
