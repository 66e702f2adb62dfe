import { expect, test } from "vitest";
import { deleteUnsent, unsentAsText, listUnsent } from "./list-unsent.ts";
import { memoryStorage } from "./test-server.ts";
import { type Unsent, unsentStore } from "./unsent.ts";

const entry = (patch: Unsent["patch"], at: string): Unsent => ({ patch, before: {}, version: 1, at });

test("what waits for one person is found whatever the post, newest first, and forgetting it leaves everybody else's", () => {
  const storage = memoryStorage();
  const put = (userId: string, postId: string, title: string, at: string) =>
    unsentStore(storage, { userId, postId, tabId: "a" }).put(entry({ title }, at));
  put("user_1", "post_1", "Older", "2026-11-14T09:00:00.000Z");
  put("user_1", "post_2", "Newer", "2026-11-15T09:00:00.000Z");
  put("user_10", "post_1", "Another person", "2026-11-15T09:00:00.000Z");
  storage.setItem("stet.theme", "dark");
  storage.setItem("stet.unsent/user_1/post_3/a", "not ours");
  expect(listUnsent(storage, "user_1").map(({ patch }) => patch.title)).toEqual(["Newer", "Older"]);
  deleteUnsent(storage, "user_1", "post_1");
  expect(listUnsent(storage, "user_1").map(({ patch }) => patch.title)).toEqual(["Newer"]);
  deleteUnsent(storage, "user_1");
  expect(listUnsent(storage, "user_1")).toEqual([]);
  expect(listUnsent(storage, "user_10").map(({ patch }) => patch.title)).toEqual(["Another person"]);
  expect(storage.length).toBe(2);
});

test("as a file nothing that was typed is left out", () => {
  const text = unsentAsText([
    entry({ title: "Hello", body: "First line.\n\nSecond.", excerpt: "Short" }, "2026-11-15T09:00:00.000Z"),
    entry({ slug: "new-slug" }, "2026-11-14T09:00:00.000Z"),
  ]);
  for (const part of ["# Hello", "First line.\n\nSecond.", '"Short"', '"new-slug"', "2026-11-15T09:00:00.000Z"])
    expect(text).toContain(part);
});
