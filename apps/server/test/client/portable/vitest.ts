/** As much of vitest as the client's suite uses, in any runtime: what a test expects is written once. */
type Run = (...args: never[]) => unknown;
interface Case {
  readonly name: string;
  readonly run: () => unknown;
}

const cases: Case[] = [];
const begins: (() => unknown)[] = [];
const ends: (() => unknown)[] = [];

export const beforeAll = (run: () => unknown): void => void begins.push(run);
export const afterAll = (run: () => unknown): void => void ends.push(run);
export function test(name: string, run: () => unknown): void {
  cases.push({ name, run });
}
test.each = (rows: readonly unknown[]) => (name: string, run: Run) => {
  for (const [at, row] of rows.entries()) {
    const args = (Array.isArray(row) ? row : [row]) as never[];
    cases.push({ name: `${name} ${at}`, run: () => run(...args) });
  }
};
/** Types were checked where the suite is written. */
export const expectTypeOf = (): { toEqualTypeOf(): void } => ({ toEqualTypeOf() {} });

/** Answers how many tests held, and what did not. */
export async function runAll(): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  for (const begin of begins) await begin();
  for (const { name, run } of cases) {
    try {
      await run();
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  for (const end of ends) await end();
  return { passed: cases.length - failed.length, failed };
}

const matchers = {
  toBe: (actual: unknown, wanted: unknown) => Object.is(actual, wanted),
  toEqual: (actual: unknown, wanted: unknown) => isEqual(actual, wanted, false),
  toMatchObject: (actual: unknown, wanted: unknown) => isEqual(actual, wanted, true),
  toBeNull: (actual: unknown) => actual === null,
  toBeUndefined: (actual: unknown) => actual === undefined,
  toHaveLength: (actual: { length: number }, wanted: number) => actual.length === wanted,
  toContain: (actual: string | readonly unknown[], wanted: never) => actual.includes(wanted),
  toMatch: (actual: string, wanted: RegExp) => wanted.test(actual),
  toBeGreaterThan: (actual: number, wanted: number) => actual > wanted,
  toBeGreaterThanOrEqual: (actual: number, wanted: number) => actual >= wanted,
  toBeLessThan: (actual: number, wanted: number) => actual < wanted,
  toBeLessThanOrEqual: (actual: number, wanted: number) => actual <= wanted,
  toThrow(actual: () => unknown, wanted: new (...args: never[]) => Error) {
    try {
      actual();
    } catch (error) {
      return error instanceof wanted;
    }
    return false;
  },
};

type Matcher = (actual: never, wanted?: never) => boolean;
const about = (actual: unknown, isWanted: boolean): Record<string, (wanted?: unknown) => void> =>
  Object.fromEntries(
    Object.entries(matchers).map(([name, matches]) => [
      name,
      (wanted?: unknown) => {
        if ((matches as Matcher)(actual as never, wanted as never) === isWanted) return;
        throw new Error(`${told(actual).slice(0, 300)} ${isWanted ? "" : "not "}${name} ${told(wanted)}`);
      },
    ]),
  );

export const expect = (actual: unknown) => ({ ...about(actual, true), not: about(actual, false) });
expect.poll = (ask: () => unknown) => ({
  async toBe(wanted: unknown): Promise<void> {
    const until = Date.now() + 10_000;
    for (let actual = await ask(); actual !== wanted; actual = await ask()) {
      if (Date.now() > until) throw new Error(`${told(actual)} toBe ${told(wanted)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  },
});
expect.any = (kind: unknown) => ({ kind });

const told = (value: unknown): string => (value instanceof Error ? String(value) : (JSON.stringify(value) ?? String(value)));

/** What is not there is as good as undefined. `isPart`: objects may have more than was wanted. */
function isEqual(actual: unknown, wanted: unknown, isPart: boolean): boolean {
  if (typeof actual !== "object" || typeof wanted !== "object" || actual === null || wanted === null) return Object.is(actual, wanted);
  if (actual === wanted) return true;
  if (Array.isArray(actual) !== Array.isArray(wanted)) return false;
  if (Array.isArray(wanted) && wanted.length !== (actual as unknown[]).length) return false;
  const [has, wants] = [actual as Record<string, unknown>, wanted as Record<string, unknown>];
  const names = isPart ? Object.keys(wants) : [...new Set([...Object.keys(has), ...Object.keys(wants)])];
  return names.every((name) => isEqual(has[name], wants[name], isPart));
}
