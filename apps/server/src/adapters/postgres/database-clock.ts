import { type Clock, SECOND } from "#domain/time";
import type { Queryable } from "./database.ts";

/** How often the database is asked what time it is. */
const EVERY_MILLIS = 5 * SECOND;

/** The time all nodes of an install share: the database's. */
export interface DatabaseClock {
  readonly now: Clock;
  /** How far the machine's own clock is ahead of it, in milliseconds, as last measured. */
  offsetMillis(): number;
  close(): void;
}

/** The clocks of the machine: the time of day, which may be wrong and may jump, and one that only counts on. */
interface MachineClocks {
  timeOfDay(): number;
  steady(): number;
}

const MACHINE: MachineClocks = { timeOfDay: Date.now, steady: () => performance.now() };

/**
 * Asks the database for its time and counts on from there by the steady clock, so that nothing depends on the machine's time of day.
 * While the database does not answer it counts on.
 */
export async function openDatabaseClock(
  database: Queryable,
  options: { onMeasured?: (offsetMillis: number) => void; everyMillis?: number; machine?: MachineClocks } = {},
): Promise<DatabaseClock> {
  const { onMeasured = () => {}, everyMillis = EVERY_MILLIS, machine = MACHINE } = options;
  /** The database's time when the steady clock stood at zero. */
  let zero: number | null = null;
  let offset = 0;

  async function measure(): Promise<void> {
    const asked = machine.steady();
    const { rows } = await database.query<{ now: number }>({
      text: "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now",
    });
    const answered = machine.steady();
    // The database looked at its clock at some moment between the question and the answer. What was known before and lies between
    // stays as it is, so that a slow answer spoils nothing. At first it is taken to have looked just now: late by the time the answer
    // took, and never early.
    const earliest = rows[0]!.now - answered;
    const latest = rows[0]!.now - asked;
    zero = zero === null ? earliest : Math.min(Math.max(zero, earliest), latest);
    offset = machine.timeOfDay() - (zero + answered);
    onMeasured(offset);
  }

  await measure();
  let measuring = false;
  const timer = setInterval(() => {
    if (measuring) return;
    measuring = true;
    // The callers that need the database report that it does not answer.
    void measure()
      .catch(() => {})
      .finally(() => (measuring = false));
  }, everyMillis);
  timer.unref();
  return {
    now: () => new Date(zero! + machine.steady()),
    offsetMillis: () => offset,
    close: () => clearInterval(timer),
  };
}
