import { expect, test } from "vitest";
import { shelf } from "./test-server.ts";
import { orphansIn, type Unsent, unsentIn } from "./unsent.ts";

const PLACE = { userId: "user_1", postId: "post_1" };
const entry = (title: string, at: string): Unsent => ({ patch: { title }, before: {}, version: 1, at });
const titles = (storage: ReturnType<typeof shelf>, place: Parameters<typeof orphansIn>[1]) =>
  orphansIn(storage, place).map(({ unsent }) => unsent.patch.title);

test("only what closed pages of this person left about this post is found, oldest first", () => {
  const storage = shelf();
  unsentIn(storage, { ...PLACE, deskId: "newer" }).put(entry("Newer", "2026-11-15T09:00:00.000Z"));
  unsentIn(storage, { ...PLACE, deskId: "older" }).put(entry("Older", "2026-11-14T09:00:00.000Z"));
  unsentIn(storage, { ...PLACE, deskId: "open" }).put(entry("Still open", "2026-11-15T09:00:00.000Z"));
  unsentIn(storage, { ...PLACE, postId: "post_2", deskId: "a" }).put(entry("Another post", "2026-11-15T09:00:00.000Z"));
  unsentIn(storage, { ...PLACE, userId: "user_2", deskId: "b" }).put(entry("Another person", "2026-11-15T09:00:00.000Z"));
  expect(titles(storage, { ...PLACE, living: new Set(["open"]) })).toEqual(["Older", "Newer"]);
});

test("what cannot be read is thrown away, and what was taken up is forgotten", () => {
  const storage = shelf();
  for (const [id, text] of Object.entries({ a: "{", b: "null", c: "{}", d: '{"version":1}' })) {
    storage.setItem(`stet.unsent/user_1/post_1/${id}`, text);
  }
  const store = unsentIn(storage, { ...PLACE, deskId: "mine" });
  store.put(entry("Mine", "2026-11-15T09:00:00.000Z"));
  const [orphan, ...others] = orphansIn(storage, { ...PLACE, living: new Set() });
  expect([orphan?.unsent.patch.title, others, storage.length]).toEqual(["Mine", [], 1]);
  orphan?.forget();
  expect(storage.length).toBe(0);
});
