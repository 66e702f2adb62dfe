import { PLAN_NAMES } from "@stet/contract";
import { expect, test } from "vitest";
import { downgradeProblems, fits, planLimits, planOverrides, plansWith, type PlanUsage } from "#domain/plans";

test("the plans are those of the contract", () => {
  const table = PLAN_NAMES.map((name) => {
    const plan = planLimits(name);
    return [
      name,
      plan.requestsPerMonth,
      plan.ratePerSecond,
      plan.burst,
      plan.websites,
      plan.storageBytes,
      plan.liveKeys,
      plan.servedPercent,
    ];
  });
  expect(table).toEqual([
    ["free", 10_000, 10, 50, 1, 100_000_000, 2, 100],
    ["starter", 100_000, 50, 250, 1, 1_000_000_000, null, 120],
    ["team", 500_000, 100, 500, 5, 20_000_000_000, null, 120],
    ["unlimited", null, null, null, null, null, null, 100],
  ]);
  for (const feature of ["search", "trafficPerEndpoint", "ownDatabase", "ownImageStore"] as const) {
    expect(PLAN_NAMES.map((name) => planLimits(name)[feature])).toEqual([false, true, true, true]);
  }
});

test("an operator overrides any value, null lifts a limit, and the rest stays", () => {
  const overrides = planOverrides.parse({
    team: {
      requestsPerMonth: 1_000_000_000,
      ratePerSecond: 1_000_000,
      burst: 1_000_000,
      websites: 1000,
      storageBytes: 1_000_000_000_000,
      liveKeys: null,
    },
    free: { liveKeys: null, search: true },
    unlimited: { websites: 50, ratePerSecond: 100, burst: 500 },
  });
  const plans = plansWith(overrides);
  expect(planLimits("team", plans)).toMatchObject({ requestsPerMonth: 1_000_000_000, websites: 1000, ownDatabase: true });
  expect(planLimits("free", plans)).toMatchObject({ liveKeys: null, search: true, requestsPerMonth: 10_000 });
  expect(planLimits("unlimited", plans)).toMatchObject({ websites: 50, burst: 500, storageBytes: null, search: true });
  expect(planLimits("starter", plans)).toEqual(planLimits("starter"));
});

test.each([
  [{ tean: { websites: 2 } }],
  [{ team: { website: 2 } }],
  [{ team: { websites: -1 } }],
  [{ team: { websites: 1.5 } }],
  [{ team: { websites: "5" } }],
  [{ team: { ratePerSecond: 0 } }],
  [{ team: null }],
  [{ unlimited: { ratePerSecond: 100 } }],
  [{ unlimited: { burst: 100 } }],
  [[]],
])("overrides such as %j are refused", (overrides) => {
  expect(planOverrides.safeParse(overrides).success).toBe(false);
});

test("no limit fits everything; a limit fits up to itself", () => {
  expect(fits(1_000_000, null)).toBe(true);
  expect(fits(2, 2)).toBe(true);
  expect(fits(3, 2)).toBe(false);
});

const website = (name: string, more: Partial<PlanUsage["websites"][number]> = {}) => ({
  id: `site_${name}`,
  name,
  liveKeys: 1,
  ownDatabase: false,
  ownImageStore: false,
  ...more,
});

test("what fits the smaller plan has nothing to change", () => {
  expect(downgradeProblems({ storageBytes: 100_000_000, websites: [website("A", { liveKeys: 2 })] }, planLimits("free"))).toEqual([]);
});

test("a downgrade that does not fit says everything there is to change, with numbers", () => {
  const usage: PlanUsage = {
    storageBytes: 100_000_001,
    websites: [website("A", { liveKeys: 3 }), website("B", { ownDatabase: true, ownImageStore: true })],
  };
  const problems = downgradeProblems(usage, planLimits("free"));
  expect(problems.map((problem) => problem.facts)).toEqual([
    { limit: "websites", allowed: 1, used: 2 },
    { limit: "storageBytes", allowed: 100_000_000, used: 100_000_001 },
    { limit: "liveKeys", websiteId: "site_A", website: "A", allowed: 2, used: 3 },
    { limit: "ownDatabase", websiteId: "site_B", website: "B" },
    { limit: "ownImageStore", websiteId: "site_B", website: "B" },
  ]);
  expect(problems[0]?.message).toBe("The plan has room for 1 website and the workspace has 2. Delete 1 of them.");
  expect(problems[1]?.message).toContain("100 MB of images and the workspace has 100.01 MB");
  expect(problems[2]?.message).toBe('The plan allows 2 live keys per website and "A" has 3. Revoke 1 of them.');
});

test("limits that the operator lifted never stand in the way", () => {
  const free = plansWith({ free: { websites: null, storageBytes: null, liveKeys: null, ownDatabase: true } }).free;
  const usage = { storageBytes: 1e15, websites: [website("A", { liveKeys: 500 }), website("B", { ownDatabase: true })] };
  expect(downgradeProblems(usage, free)).toEqual([]);
});
