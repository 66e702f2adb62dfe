import { expect, test } from "vitest";
import { nextTryWords, outcomeOf, prospectOf, subjectOf, type Webhook } from "./words.ts";

const NOW = Date.parse("2026-11-15T09:00:00.000Z");

test("the next try is told as exactly as it is known", () => {
  const words = (nextProbeAt: string | null, waiting = 1) => nextTryWords({ nextProbeAt, waiting }, NOW);
  expect(words("2026-11-15T11:00:00.000Z")).toMatch(/^Next attempt in 2 hours, at .+\.$/);
  expect(words("2026-11-15T09:00:10.000Z")).toBe("Next attempt in less than a minute.");
  // It is due, and a worker has not come to it yet.
  expect(words("2026-11-15T08:59:59.000Z")).toBe("Next attempt in less than a minute.");
  expect(words(null)).toBe("Trying now.");
  expect(words(null, 0)).toBe("No deliveries are waiting. Delivery resumes with the next event.");
});

test("an outcome names the status once", () => {
  expect(outcomeOf({ status: 204, error: null })).toBe("Answered 204");
  expect(outcomeOf({ status: 500, error: "The answer was 500; a 2xx says that it was received." })).toBe(
    "The answer was 500; a 2xx says that it was received",
  );
});

test("a delivery is called by its post; tests and posts that were never live by what they are", () => {
  expect(subjectOf({ eventType: "post.updated", title: "Hello" })).toBe("Hello");
  expect(subjectOf({ eventType: "post.updated", title: "" })).toBe("Untitled");
  expect(subjectOf({ eventType: "post.deleted", title: null })).toBe("A post that was never published");
  expect(subjectOf({ eventType: "webhook.test", title: null })).toBe("Test");
});

test("what comes next depends on the endpoint, and a test waits for nothing", () => {
  const failing = { status: "failing", waiting: 1, nextProbeAt: null, debounceSeconds: 30 } as Webhook;
  const gathering = { ...failing, status: "active" } as const;
  expect(prospectOf({ status: "waiting", eventType: "post.updated" }, failing)).toContain("this delivery waits");
  expect(prospectOf({ status: "waiting", eventType: "post.updated" }, gathering)).toContain("groups changes");
  for (const webhook of [failing, gathering]) expect(prospectOf({ status: "waiting", eventType: "webhook.test" }, webhook)).toBeNull();
  expect(prospectOf({ status: "delivered", eventType: "post.updated" }, failing)).toBeNull();
});
