import { expect, test } from "vitest";
import { inOrder, together } from "./together.ts";

/** Questions that are answered when the test says so. */
function slowAnswers() {
  const asked: { keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const find = together<string, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        asked.push({
          keys,
          answer: () => resolve(keys.map((key) => (key === "unknown" ? null : `found ${key}`))),
          fail: () => reject(new Error("gone")),
        });
      }),
  );
  return { asked, find };
}

test("whoever asks while questions are under way shares the next one, and each gets an answer of its own", async () => {
  const { asked, find } = slowAnswers();
  const found = Promise.all(["a", "b", "c", "unknown", "c"].map(find));
  expect(asked.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  asked[1]!.answer();
  await expect.poll(() => asked.length).toBe(3);
  expect(asked[2]!.keys).toEqual(["c", "unknown", "c"]);
  asked[2]!.answer();
  asked[0]!.answer();
  expect(await found).toEqual(["found a", "found b", "found c", null, "found c"]);
});

test("a question under way never answers one that came after it", async () => {
  const { asked, find } = slowAnswers();
  const first = find("a");
  const second = find("a");
  const third = find("a");
  asked[0]!.answer();
  await first;
  expect(asked).toHaveLength(3);
  asked[1]!.answer();
  asked[2]!.answer();
  expect(await Promise.all([second, third])).toEqual(["found a", "found a"]);
});

test("a question that hangs holds up nobody else", async () => {
  const { asked, find } = slowAnswers();
  void find("hangs");
  const others = ["b", "c"].map(find);
  asked[1]!.answer();
  await others[0];
  asked[2]!.answer();
  expect(await others[1]).toBe("found c");
});

test("a question that fails fails for those who asked it; the next one is asked", async () => {
  const { asked, find } = slowAnswers();
  const failing = Promise.allSettled([find("a"), find("b")]);
  const later = find("c");
  asked[0]!.fail();
  asked[1]!.fail();
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  asked[2]!.answer();
  expect(await later).toBe("found c");
});

test("rows find the keys they belong to, whatever order they come in", () => {
  const rows = [
    { nth: 3, name: "third" },
    { nth: 1, name: "first" },
  ];
  expect(inOrder(["x", "y", "z"], rows, ({ name }) => name)).toEqual(["first", null, "third"]);
});
