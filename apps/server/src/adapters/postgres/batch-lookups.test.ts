import { expect, test } from "vitest";
import { currentWork, inPool } from "#domain/pool";
import { inKeyOrder, batchLookups } from "./batch-lookups.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Questions that are answered when the test says so. */
function slowAnswers(unansweredMillis?: number) {
  const asked: { keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const find = batchLookups<string, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        asked.push({
          keys,
          answer: () => resolve(keys.map((key) => (key === "unknown" ? null : `found ${key}`))),
          fail: () => reject(new Error("gone")),
        });
      }),
    undefined,
    unansweredMillis,
  );
  return { asked, find };
}

test("those who come in one turn of the loop share a question, and each gets an answer of its own", async () => {
  const { asked, find } = slowAnswers();
  const found = Promise.all(["a", "unknown", "a"].map(find));
  await nextTurn();
  expect(asked.map(({ keys }) => keys)).toEqual([["a", "unknown", "a"]]);
  asked[0]!.answer();
  expect(await found).toEqual(["found a", null, "found a"]);
});

test("whoever asks while two questions are under way shares the next one", async () => {
  const { asked, find } = slowAnswers();
  const found = [];
  for (const key of ["a", "b", "c", "d"]) {
    found.push(find(key));
    await nextTurn();
  }
  expect(asked.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  asked[1]!.answer();
  await found[1];
  await nextTurn();
  expect(asked.map(({ keys }) => keys)).toEqual([["a"], ["b"], ["c", "d"]]);
  asked[2]!.answer();
  asked[0]!.answer();
  expect(await Promise.all(found)).toEqual(["found a", "found b", "found c", "found d"]);
});

test("a question under way never answers one that came after it", async () => {
  const { asked, find } = slowAnswers();
  const first = find("a");
  await nextTurn();
  const second = find("a");
  asked[0]!.answer();
  expect(await first).toBe("found a");
  await nextTurn();
  expect(asked).toHaveLength(2);
  asked[1]!.answer();
  expect(await second).toBe("found a");
});

test("a question that hangs holds up nobody else", async () => {
  const { asked, find } = slowAnswers();
  void find("hangs");
  await nextTurn();
  for (const [nth, key] of ["b", "c"].entries()) {
    const found = find(key);
    await nextTurn();
    asked[nth + 1]!.answer();
    expect(await found).toBe(`found ${key}`);
  }
});

test("a question that fails fails for those who asked it; the next one is asked", async () => {
  const { asked, find } = slowAnswers();
  const failing = Promise.allSettled([find("a"), find("b")]);
  await nextTurn();
  const later = find("c");
  asked[0]!.fail();
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await nextTurn();
  asked[1]!.answer();
  expect(await later).toBe("found c");
});

test.each([
  ["got no answer fails those too who wait behind it", 0, [["a"], ["b"]]],
  ["failed at once leaves those who wait behind it to the next one", undefined, [["a"], ["b"], ["c"]]],
])("a question that %s", async (_, unansweredMillis, questions) => {
  const { asked, find } = slowAnswers(unansweredMillis);
  const found = [];
  for (const key of ["a", "b", "c"]) {
    found.push(find(key));
    await nextTurn();
  }
  const all = Promise.allSettled(found);
  asked[0]!.fail();
  await nextTurn();
  for (const { answer } of asked.slice(1)) answer();
  expect((await all).map(({ status }) => status === "fulfilled")).toEqual([false, true, questions.length === 3]);
  expect(asked.map(({ keys }) => keys)).toEqual(questions);
});

test("a key that the database cannot take fails for whoever asked it, and for nobody beside", async () => {
  const questions: (readonly string[])[] = [];
  const find = batchLookups<string, string>(async (keys) => {
    questions.push(keys);
    if (keys.includes("bad")) throw Object.assign(new Error("invalid byte sequence"), { code: "22021" });
    return keys.map((key) => `found ${key}`);
  });
  const found = await Promise.allSettled(["a", "bad", "b"].map(find));
  expect(found).toEqual([
    { status: "fulfilled", value: "found a" },
    { status: "rejected", reason: expect.objectContaining({ code: "22021" }) },
    { status: "fulfilled", value: "found b" },
  ]);
  expect(questions).toEqual([["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
});

test("many at once are asked in several questions, and nobody is left out", async () => {
  const { asked, find } = slowAnswers();
  const names = Array.from({ length: 120 }, (_, nth) => `n${nth}`);
  const found = Promise.all(names.map(find));
  for (let nth = 0; nth < 3; nth++) {
    await nextTurn();
    asked[nth]!.answer();
  }
  expect(await found).toEqual(names.map((name) => `found ${name}`));
  expect(asked.map(({ keys }) => keys.length)).toEqual([50, 50, 20]);
});

test("rows find the keys they belong to, whatever order they come in", () => {
  const rows = [
    { nth: 3, name: "third" },
    { nth: 1, name: "first" },
  ];
  expect(inKeyOrder(["x", "y", "z"], rows, ({ name }) => name)).toEqual(["first", null, "third"]);
});

test("look-ups of one pool wait for no batch of another, and go on when one of those who asked has gone", async () => {
  const asked: { pool: string; signal: unknown }[] = [];
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const find = batchLookups<string, string>(async (keys) => {
    const { pool, signal } = currentWork();
    asked.push({ pool, signal });
    if (pool === "writes") await held;
    return keys;
  });
  const writes = Array.from({ length: 3 }, async (_, n) => {
    for (let turn = 0; turn < n; turn++) await new Promise(setImmediate);
    return find(`write ${n}`);
  });
  await new Promise(setImmediate);
  const gone = new AbortController();
  const reads = inPool("reads", () => Promise.all([find("read 1"), find("read 2")]), gone.signal);
  gone.abort();
  expect(await reads).toEqual(["read 1", "read 2"]);
  letGo();
  expect(await Promise.all(writes)).toEqual(["write 0", "write 1", "write 2"]);
  expect(asked.every(({ signal }) => signal === undefined)).toBe(true);
  expect(new Set(asked.map(({ pool }) => pool))).toEqual(new Set(["reads", "writes"]));
});
