import { expect, test } from "vitest";
import { createRates } from "#usage/rates/rates";
import { ATTEMPTS, createAttempts } from "./attempts.ts";

const MINUTE = 60_000;

/** Tries to fail that often, and answers how often it was let try. */
async function failures(
  times: number,
  from: { address: string; account?: string; device?: string },
  attempts: ReturnType<typeof opened>,
): Promise<number> {
  let tried = 0;
  for (let n = 0; n < times; n++) {
    try {
      await attempts.begin(from.address, from.account ?? "ada", from.device);
      tried += 1;
    } catch {
      // Refused.
    }
  }
  return tried;
}

let now = 0;
const opened = () => createAttempts("sign-in", ATTEMPTS, createRates(), () => now);

test("one address fails ten times on an account and then once a minute, while its owner gets in from another", async () => {
  const attempts = opened();
  expect(await failures(15, { address: "203.0.113.1" }, attempts)).toBe(10);
  now += MINUTE;
  expect(await failures(15, { address: "203.0.113.1" }, attempts)).toBe(1);
  expect(await failures(1, { address: "198.51.100.7" }, attempts)).toBe(1);
});

test("strangers with many addresses have fifty failures on an account together and then one a minute", async () => {
  const attempts = opened();
  const botnet = async () => {
    let tried = 0;
    for (let n = 0; n < 40; n++) tried += await failures(10, { address: `203.0.113.${n}` }, attempts);
    return tried;
  };
  expect(await botnet()).toBe(50);
  expect(await botnet()).toBe(0);
  now += 10 * MINUTE;
  expect(await botnet()).toBe(10);
});

test("a device that signed in before is kept out by nobody's failures but its own", async () => {
  const attempts = opened();
  for (let n = 0; n < 40; n++) await failures(10, { address: `203.0.113.${n}` }, attempts);
  expect(await failures(1, { address: "198.51.100.7" }, attempts)).toBe(0);
  expect(await failures(15, { address: "198.51.100.7", device: "laptop" }, attempts)).toBe(10);
  expect(await failures(1, { address: "198.51.100.8", device: "phone" }, attempts)).toBe(1);
});

test("what succeeded does not count against the account, only against the address", async () => {
  const attempts = opened();
  for (let n = 0; n < 20; n++) (await attempts.begin("203.0.113.1", "ada"))();
  await expect(attempts.begin("203.0.113.1", "ada")).rejects.toThrow("Too many attempts");
  expect(await failures(10, { address: "203.0.113.2" }, attempts)).toBe(10);
});
