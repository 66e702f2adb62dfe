import { expect, test } from "vitest";
import { toolRights } from "./permission-words.ts";

test("no line stands both for what a tool may and for what it never may", () => {
  const lines = Object.values(toolRights()).flat();
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.every((line) => line !== "")).toBe(true);
});

test("what the contract forbids for ever is on the list of what it may never", () => {
  const never = toolRights().never.join("; ");
  for (const word of ["keys", "Delete a website or workspace", "plan", "Invite", "roles", "give away", "webhooks", "stores", "for good"]) {
    expect(never).toContain(word);
  }
});

test("what the page promises never to happen, Allow deleting does not open", () => {
  const { never, "with delete": opened } = toolRights();
  expect(opened).toContain("Delete or merge categories, tags and authors for good");
  expect(never.filter((line) => line.includes("for good"))).toEqual(["Delete posts or images for good"]);
});
