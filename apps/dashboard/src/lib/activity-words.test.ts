import { expect, test } from "vitest";
import { registry } from "../../../server/src/operations/registry.ts";
import { ACTIONS, activityWords, type ActivityEntry } from "./activity-words.ts";

const entry = (action: string, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  action,
  actor: { type: "user", id: "user_1", userId: "user_1" },
  actorName: "Ada",
  target: { id: "post_1", label: "Hello" },
  details: {},
  count: 1,
  ...more,
});
const sentence = (of: ActivityEntry): string =>
  activityWords(of)
    .map((part) => part.text)
    .join("");

/** Written down by the service itself. */
const NOT_OPERATIONS = ["schedule_failed", "webhook_failing", "webhook_switched_off", "quota_warning", "disk_space", "tool_token_copied"];
/** Of an account, which belongs to no workspace; the log is kept by workspace. */
const NEVER_LOGGED = ["create_account", "change_email", "confirm_email", "send_email_proof", "disconnect_left"];

// Words of what is no operation any more stay: the log remembers it.
test("whatever leaves a trace has words", () => {
  const logged = Object.values(registry)
    .filter((operation) => operation.activity !== "none")
    .map(({ name }) => name)
    .filter((name) => !NEVER_LOGGED.includes(name));
  expect([...logged, ...NOT_OPERATIONS].filter((name) => !Object.hasOwn(ACTIONS, name))).toEqual([]);
});

test("every sentence reads without its details, and names who and what", () => {
  for (const action of Object.keys(ACTIONS)) {
    const words = sentence(entry(action));
    expect(words, action).toMatch(/^Ada [a-z]/);
    expect(words, action).toContain("Hello");
    expect(words, action).not.toMatch(/undefined|null|NaN|\{it\}| {2}/);
  }
});

test("people, their tools and the service are told apart", () => {
  expect(sentence(entry("publish_post"))).toBe("Ada published Hello");
  const actor = { id: "grant_1", userId: "user_1" };
  expect(sentence(entry("publish_post", { actor: { type: "tool", ...actor } }))).toBe("A connected app of Ada published Hello");
  expect(sentence(entry("publish_post", { actor: { type: "system", id: "scheduler", userId: null }, actorName: null }))).toBe(
    "Stet published Hello on schedule",
  );
  expect(sentence(entry("publish_post", { actorName: null }))).toBe("A deleted account published Hello");
});

test("details become words", () => {
  expect(sentence(entry("edit_post", { count: 12 }))).toBe("Ada edited Hello, saved 12 times");
  expect(sentence(entry("change_role", { details: { role: "editor", previousRole: "author" } }))).toBe(
    "Ada made Hello an editor, previously an author",
  );
  expect(sentence(entry("update_website", { details: { changed: ["name", "publicUrl"] } }))).toBe(
    "Ada changed the settings of Hello: name, public address",
  );
  expect(sentence(entry("import_website", { details: { posts: 1 } }))).toBe("Ada imported 1 post into Hello");
  expect(sentence(entry("import_website", { details: { posts: 7, stopped: "Line 9 is not JSON." } }))).toBe(
    "Ada imported 7 posts into Hello, but did not finish",
  );
  expect(sentence(entry("import_website", { details: { posts: 0, stopped: "The service ended before the import did." } }))).toBe(
    "Ada started an import into Hello, but did not finish",
  );
});

test("what an app did where the website holds it reads as a suggestion, and the answer to it as an answer", () => {
  const actor = { type: "tool", id: "grant_1", userId: "user_1" } as const;
  const held = (action: string, details: object = {}) => sentence(entry(action, { actor, details: { suggestion: "sug_1", ...details } }));
  expect(held("edit_post")).toBe("A connected app of Ada suggested changes to Hello");
  expect(held("unpublish_post")).toBe("A connected app of Ada suggested unpublishing Hello");
  expect(held("delete_term", { kind: "author" })).toBe("A connected app of Ada suggested deleting the author Hello");
  for (const action of ["publish_post", "schedule_post", "update_live_post", "delete_post", "restore_post", "edit_media", "edit_term"]) {
    expect(held(action), action).toMatch(/^A connected app of Ada suggested .*Hello/);
  }
  expect(sentence(entry("accept_suggestion", { details: { suggestion: "sug_1" } }))).toBe("Ada accepted an app’s suggestion for Hello");
});

test("what a newer server writes is told by its name, and a thing without a name by its kind", () => {
  expect(sentence(entry("paint_fence"))).toBe("Ada did paint fence: Hello");
  expect(sentence(entry("schedule_failed", { target: { id: "post_1", label: "" } }))).toBe("Ada could not publish a post");
  expect(sentence(entry("publish_post", { target: null }))).toBe("Ada published something");
});
