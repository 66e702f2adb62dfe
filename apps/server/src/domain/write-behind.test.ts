import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SECOND } from "./time.ts";
import { createWriteBehind } from "./write-behind.ts";

const AWAY = new Error("away");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Count {
  readonly name: string;
  readonly count: number;
}

/** A buffer over something that takes batches, fails, or answers when it is told to. */
function open(options: Partial<Parameters<typeof createWriteBehind<Count>>[0]> = {}) {
  const state = { failure: null as Error | null, gate: Promise.resolve(), tries: 0 };
  const batches: string[][] = [];
  const outages: unknown[] = [];
  const lost: string[] = [];
  const buffer = createWriteBehind<Count>({
    async write(entries) {
      state.tries += 1;
      const { failure } = state;
      await state.gate;
      if (failure) throw failure;
      batches.push(entries.map(({ name, count }) => `${name} ${count}`));
    },
    isOutage: (error) => error === AWAY,
    onOutage: (error) => outages.push(error),
    onLost: (error) => lost.push((error as Error).message),
    ...options,
  });
  return { buffer, state, batches, outages, lost };
}
const one = (name: string): Count => ({ name, count: 1 });
const merging = {
  keyOf: ({ name }: Count) => name,
  merge: (earlier: Count, later: Count) => ({ ...later, count: earlier.count + later.count }),
};

test("what comes within a second is written together, in its order", async () => {
  const { buffer, batches } = open();
  for (const name of ["a", "b", "a"]) await buffer.add(one(name));
  await vi.advanceTimersByTimeAsync(SECOND - 1);
  expect(batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([["a 1", "b 1", "a 1"]]);
});

test("entries with one key wait as one", async () => {
  const { buffer, batches } = open({ merging });
  for (const name of ["a", "b", "a"]) void buffer.add(one(name));
  await buffer.flush();
  expect(batches).toEqual([["a 2", "b 1"]]);
});

test("when as many wait as are written together, they are written at once, and whoever brought the last waits for it", async () => {
  const { buffer, batches } = open({ atOnce: 2 });
  void buffer.add(one("a"));
  await buffer.add(one("b"));
  expect(batches).toEqual([["a 1", "b 1"]]);
});

test("in an outage everything is kept and tried again, in its order and merged with what came meanwhile; it is said once", async () => {
  const { buffer, state, batches, outages, lost } = open({ merging });
  state.failure = AWAY;
  void buffer.add(one("a"));
  await vi.advanceTimersByTimeAsync(SECOND);
  void buffer.add(one("b"));
  void buffer.add(one("a"));
  await buffer.write(one("c"));
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  expect([state.tries, outages]).toEqual([5, [AWAY]]);
  state.failure = null;
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(batches).toEqual([["c 1", "a 2", "b 1"]]);
  expect(lost).toEqual([]);
});

test("what comes while a batch is on its way is merged behind it, should it fail", async () => {
  const { buffer, state, batches } = open({ merging });
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(state, { failure: AWAY, gate: promise });
  void buffer.add(one("a"));
  const flushed = buffer.flush();
  await Promise.resolve();
  void buffer.add(one("b"));
  void buffer.add(one("a"));
  resolve();
  await flushed;
  state.failure = null;
  await buffer.flush();
  expect(batches).toEqual([["a 2", "b 1"]]);
});

test("in an outage nobody waits, however many come; beyond what may wait, the oldest are lost, and that is said", async () => {
  const { buffer, state, batches, lost } = open({ atOnce: 5, mostKept: 20 });
  state.failure = AWAY;
  for (let n = 0; n < 30; n++) await buffer.add(one(`${n}`));
  expect(state.tries).toBe(1);
  expect(lost).toEqual(Array.from({ length: 5 }, () => "2 are too many to keep until the database answers."));
  state.failure = null;
  await buffer.flush();
  expect(batches.flat()).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 10} 1`));
});

test("one that can never be written costs the others nothing", async () => {
  const { buffer, batches, lost } = open({
    async write(entries) {
      if (entries.some(({ name }) => name === "bad")) throw new Error("never");
      batches.push(entries.map(({ name }) => name));
    },
  });
  for (const name of ["a", "bad", "b"]) void buffer.add(one(name));
  await buffer.flush();
  expect(batches).toEqual([["a"], ["b"]]);
  expect(lost).toEqual(["never"]);
});

test("closing writes what waits, after what is on its way; what cannot be written then is said, and not tried again", async () => {
  const first = open();
  void first.buffer.add(one("a"));
  void first.buffer.flush();
  void first.buffer.add(one("b"));
  await first.buffer.close();
  expect(first.batches.flat()).toEqual(["a 1", "b 1"]);
  const second = open();
  second.state.failure = AWAY;
  void second.buffer.add(one("a"));
  await second.buffer.close();
  expect(second.lost).toEqual(["1 could not be written before the end."]);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(second.state.tries).toBe(1);
});
