import { expect, test } from "vitest";
import type { WebsiteId, WorkspaceId } from "#domain/ids";
import { testId } from "#test/builders";
import { limitsOf } from "./limits.ts";
import { createMeters, hasRequestsLeft, spendOne, spent } from "./meters.ts";

const WORKSPACE = testId("workspace", 1) as WorkspaceId;
const WEBSITE = testId("website", 1) as WebsiteId;
const PLAN = { requestsPerMonth: 10, servedPercent: 100, ratePerSecond: 1, burst: 1 } as Parameters<typeof limitsOf>[0];

const openMeters = () =>
  createMeters({ requests: () => Promise.resolve(9), requestsOfKey: () => Promise.resolve(0) } as unknown as Parameters<
    typeof createMeters
  >[0]);

test("what was asked before midnight and is answered after it takes nothing from the new month, and gives nothing back", async () => {
  const meters = openMeters();
  const meter = await meters.ofWorkspace(WORKSPACE, "2026-11");
  const limits = limitsOf(PLAN, null);
  for (let n = 0; n < 10; n++) spendOne(meter, null, "2026-12");
  expect(hasRequestsLeft(limits, meter, null, "2026-12")).toBe(false);
  // Late answers of November, one after another.
  expect(hasRequestsLeft(limits, meter, null, "2026-11")).toBe(true);
  spendOne(meter, null, "2026-11");
  expect(spent(meter, "2026-12")).toBe(10);
  expect(hasRequestsLeft(limits, meter, null, "2026-12")).toBe(false);
  const row = { workspaceId: WORKSPACE, websiteId: WEBSITE, keyId: null, route: "/", statusClass: 2 };
  const totals = (requests: number) => ({ workspaces: new Map([[WORKSPACE, requests]]), keys: new Map() });
  meters.acknowledge("2026-11", [{ ...row, day: "2026-11-30", requests: 1, counted: 1 }], totals(10));
  meters.acknowledge("2026-12", [{ ...row, day: "2026-12-01", requests: 10, counted: 10 }], totals(10));
  expect(spent(meter, "2026-12")).toBe(10);
});
