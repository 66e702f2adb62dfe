import { expect, test } from "vitest";
import { ATTEMPTS, createAttempts } from "./attempts.ts";

const MINUTE = 60_000;

/** Tries to fail that often, and answers how often it was let try. */
function failures(
  times: number,
  from: { address: string; account?: string; device?: string },
  attempts: ReturnType<typeof opened>,
): number {
  let tried = 0;
  for (let n = 0; n < times; n++) {
    try {
      attempts.begin(from.address, from.account ?? "ada", from.device);
      tried += 1;
    } catch {
      // Refused.
    }
  }
  return tried;
}

let now = 0;
const opened = () => createAttempts(ATTEMPTS, () => now);

test("one address fails ten times on an account and then once a minute, while its owner gets in from another", () => {
  const attempts = opened();
  expect(failures(15, { address: "203.0.113.1" }, attempts)).toBe(10);
  now += MINUTE;
  expect(failures(15, { address: "203.0.113.1" }, attempts)).toBe(1);
  expect(failures(1, { address: "198.51.100.7" }, attempts)).toBe(1);
});

test("strangers with many addresses have fifty failures on an account together and then one a minute", () => {
  const attempts = opened();
  const botnet = () => Array.from({ length: 40 }, (_, n) => failures(10, { address: `203.0.113.${n}` }, attempts)).reduce((a, b) => a + b);
  expect(botnet()).toBe(50);
  expect(botnet()).toBe(0);
  now += 10 * MINUTE;
  expect(botnet()).toBe(10);
});

test("a device that signed in before is kept out by nobody's failures but its own", () => {
  const attempts = opened();
  for (let n = 0; n < 40; n++) failures(10, { address: `203.0.113.${n}` }, attempts);
  expect(failures(1, { address: "198.51.100.7" }, attempts)).toBe(0);
  expect(failures(15, { address: "198.51.100.7", device: "laptop" }, attempts)).toBe(10);
  expect(failures(1, { address: "198.51.100.8", device: "phone" }, attempts)).toBe(1);
});

test("what succeeded does not count against the account, only against the address", () => {
  const attempts = opened();
  for (let n = 0; n < 20; n++) attempts.begin("203.0.113.1", "ada")();
  expect(() => attempts.begin("203.0.113.1", "ada")).toThrow("Too many attempts");
  expect(failures(10, { address: "203.0.113.2" }, attempts)).toBe(10);
});
