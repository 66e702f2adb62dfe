import { expect, test } from "vitest";
import { memoryStorage } from "./test-server.ts";
import { orphansOf, type Unsent, unsentStore } from "./unsent.ts";

const OWNER = { userId: "user_1", postId: "post_1" };
const entry = (title: string, at: string): Unsent => ({ patch: { title }, before: {}, version: 1, at });
const titles = (storage: ReturnType<typeof memoryStorage>, owner: Parameters<typeof orphansOf>[1]) =>
  orphansOf(storage, owner).map(({ unsent }) => unsent.patch.title);

test("only what closed pages of this person left about this post is found, oldest first", () => {
  const storage = memoryStorage();
  unsentStore(storage, { ...OWNER, tabId: "newer" }).put(entry("Newer", "2026-11-15T09:00:00.000Z"));
  unsentStore(storage, { ...OWNER, tabId: "older" }).put(entry("Older", "2026-11-14T09:00:00.000Z"));
  unsentStore(storage, { ...OWNER, tabId: "open" }).put(entry("Still open", "2026-11-15T09:00:00.000Z"));
  unsentStore(storage, { ...OWNER, postId: "post_2", tabId: "a" }).put(entry("Another post", "2026-11-15T09:00:00.000Z"));
  unsentStore(storage, { ...OWNER, userId: "user_2", tabId: "b" }).put(entry("Another person", "2026-11-15T09:00:00.000Z"));
  expect(titles(storage, { ...OWNER, openTabs: new Set(["open"]) })).toEqual(["Older", "Newer"]);
});

test("what cannot be read is thrown away, and what was taken up is forgotten", () => {
  const storage = memoryStorage();
  for (const [id, text] of Object.entries({ a: "{", b: "null", c: "{}", d: '{"version":1}' })) {
    storage.setItem(`stet.unsent/user_1/post_1/${id}`, text);
  }
  const store = unsentStore(storage, { ...OWNER, tabId: "mine" });
  store.put(entry("Mine", "2026-11-15T09:00:00.000Z"));
  const [orphan, ...others] = orphansOf(storage, { ...OWNER, openTabs: new Set() });
  expect([orphan?.unsent.patch.title, others, storage.length]).toEqual(["Mine", [], 1]);
  orphan?.delete();
  expect(storage.length).toBe(0);
});
