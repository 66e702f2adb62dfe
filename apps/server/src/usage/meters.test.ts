import { expect, test } from "vitest";
import type { WebsiteId, WorkspaceId } from "#domain/ids";
import { testId } from "#test/builders";
import { limitsOf } from "#http/delivery/limits";
import { createMeters, hasRequestsLeft, spendOne, spent } from "./meters.ts";

const WORKSPACE = testId("workspace", 1) as WorkspaceId;
const WEBSITE = testId("website", 1) as WebsiteId;
const PLAN = { requestsPerMonth: 10, servedPercent: 100, ratePerSecond: 1, burst: 1 } as Parameters<typeof limitsOf>[0];

const openMeters = () =>
  createMeters({ requests: () => Promise.resolve(9), requestsOfKey: () => Promise.resolve(0) } as unknown as Parameters<
    typeof createMeters
  >[0]);

const limits = limitsOf(PLAN, null);
const row = { workspaceId: WORKSPACE, websiteId: WEBSITE, keyId: null, route: "/", statusClass: 2 };
const totals = (requests: number) => ({ workspaces: new Map([[WORKSPACE, requests]]), keys: new Map() });

test("what was asked before midnight and is answered after it belongs to the month before", async () => {
  const meters = openMeters();
  const meter = await meters.ofWorkspace(WORKSPACE, "2026-11");
  for (let n = 0; n < 10; n++) spendOne(meter, null, "2026-12");
  expect(hasRequestsLeft(limits, meter, null, "2026-12")).toBe(false);
  // Late answers of November, of which one is left.
  expect(hasRequestsLeft(limits, meter, null, "2026-11")).toBe(true);
  spendOne(meter, null, "2026-11");
  expect(hasRequestsLeft(limits, meter, null, "2026-11")).toBe(false);
  expect(spent(meter, "2026-12")).toBe(10);
  expect(hasRequestsLeft(limits, meter, null, "2026-12")).toBe(false);
  meters.acknowledge("2026-11", [{ ...row, day: "2026-11-30", requests: 1, counted: 1 }], totals(10));
  meters.acknowledge("2026-12", [{ ...row, day: "2026-12-01", requests: 10, counted: 10 }], totals(10));
  expect(spent(meter, "2026-12")).toBe(10);
  expect(spent(meter, "2026-11")).toBe(10);
});

test("a clock that jumps to the next month and back finds the month as it was", async () => {
  const meters = openMeters();
  const meter = await meters.ofWorkspace(WORKSPACE, "2026-11");
  spendOne(meter, null, "2026-12");
  expect(spent(meter, "2026-11")).toBe(9);
  spendOne(meter, null, "2026-11");
  expect(hasRequestsLeft(limits, meter, null, "2026-11")).toBe(false);
  // What was counted before the jump is stored while the clock is ahead.
  spendOne(meter, null, "2026-12");
  meters.acknowledge("2026-11", [{ ...row, day: "2026-11-15", requests: 1, counted: 1 }], totals(10));
  expect(spent(meter, "2026-11")).toBe(10);
  expect(spent(meter, "2026-12")).toBe(2);
});

test("however far a clock wanders, a meter remembers a few months, and those last that are not stored yet", async () => {
  const meters = openMeters();
  const meter = await meters.ofWorkspace(WORKSPACE, "2026-11");
  for (let year = 2027; year < 2040; year++) spendOne(meter, null, `${year}-01`);
  for (let year = 2027; year < 2040; year++) {
    meters.acknowledge(`${year}-01`, [{ ...row, day: `${year}-01-01`, requests: 1, counted: 1 }], totals(1));
  }
  expect(meter.months.size).toBeLessThan(20);
  for (let year = 2040; year < 2100; year++) {
    spendOne(meter, null, `${year}-01`);
    meters.acknowledge(`${year}-01`, [{ ...row, day: `${year}-01-01`, requests: 1, counted: 1 }], totals(1));
  }
  expect(meter.months.size).toBeLessThanOrEqual(4);
});
