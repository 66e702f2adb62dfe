import { writeSync } from "node:fs";
import { describe, test } from "vitest";

/**
 * Real parts: what the tests need besides Node (a database server, a browser, another tool). They are made ready before the first
 * test (`ready-parts.ts`); a test only looks for them. A part that cannot be had is said loudly, and `STET_TEST_REQUIRE=all` makes
 * it a failure: CI can never pass by leaving out.
 */
export type Part<T> = { readonly part: T; readonly detail: string } | { readonly missing: string };

const requireAll = (): boolean => process.env.STET_TEST_REQUIRE === "all";

/** One line per part, past the reporter, which would hide it. */
export function announce(name: string, detail: string): void {
  writeSync(2, `   ${name}: ${detail}\n`);
}

export function announceMissing(name: string, reason: string): void {
  writeSync(2, `!! ${name}: not run, ${reason}\n`);
}

/** Runs the tests with the part; without it says why not, or fails when everything is required. */
export function withPart<T>(name: string, found: Part<T>, tests: (part: T) => void | Promise<void>): void {
  if (!("missing" in found)) {
    describe(`with ${name}`, () => tests(found.part));
    return;
  }
  announceMissing(name, found.missing);
  test(`${name} can be had, or the run does not require everything`, (context) => {
    if (requireAll()) throw new Error(`${name} is required by STET_TEST_REQUIRE=all: ${found.missing}`);
    context.skip(found.missing);
  });
}
