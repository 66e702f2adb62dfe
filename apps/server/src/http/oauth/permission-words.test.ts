import { expect, test } from "vitest";
import { toolRights } from "./permission-words.ts";

test("no line stands both for what a tool may and for what it never may", () => {
  const lines = Object.values(toolRights()).flat();
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.every((line) => line !== "")).toBe(true);
});

test("what the contract forbids for ever is on the list of what it may never", () => {
  const never = toolRights().never.join("; ");
  for (const word of [
    "keys",
    "Delete a website or workspace",
    "plan",
    "Invite",
    "roles",
    "transfer",
    "webhooks",
    "stores",
    "Permanently delete posts",
  ]) {
    expect(never).toContain(word);
  }
});

test("what the page promises never to happen, Allow deleting does not open", () => {
  const { never, "with delete": opened } = toolRights();
  expect(opened).toContain("Permanently delete or merge categories, tags and authors");
  expect(never.filter((line) => line.startsWith("Permanently"))).toEqual(["Permanently delete posts or images"]);
});
