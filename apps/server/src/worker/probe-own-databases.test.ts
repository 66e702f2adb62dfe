import { expect, test } from "vitest";
import { newId, type WebsiteId } from "#domain/ids";
import { MINUTE } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import { probeOwnDatabases } from "./probe-own-databases.ts";

/** Visits every half minute, as the job does; answers how many were asked at each. Nothing is connected: it ends where that is found out. */
async function visit(count: number): Promise<readonly number[]> {
  const websites = Array.from({ length: count }, () => ({ id: newId("website") }));
  const asked = new Set<WebsiteId>();
  let now = 0;
  const platform = {
    onOneNode: async (_: string, work: () => Promise<void>) => work(),
    homes: { listOwn: async () => websites },
    ownDatabases: { listProbed: async () => new Set(asked), get: async (id: WebsiteId) => void asked.add(id) },
  };
  const services = { platform, clock: () => new Date(now) } as unknown as Services;
  const visits: number[] = [];
  for (; now < 5 * MINUTE; now += MINUTE / 2) {
    const before = asked.size;
    await probeOwnDatabases(services);
    visits.push(asked.size - before);
  }
  return visits;
}

test("a few databases are asked at once, and hundreds one after the other within the five minutes", async () => {
  expect(await visit(16)).toEqual([16, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const many = await visit(1_000);
  expect(many.reduce((sum, each) => sum + each)).toBe(1_000);
  // An eighth each, more or less.
  expect(Math.max(...many)).toBeLessThan(200);
  expect(many.slice(-1)).toEqual([0]);
});
