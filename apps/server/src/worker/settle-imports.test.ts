import { afterEach, expect, test, vi } from "vitest";
import { SECOND } from "#domain/time";
import { exportWebsite } from "#operations/transfer/export-website";
import { importWebsite } from "#operations/transfer/import-website";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { settleImports } from "./settle-imports.ts";

const services = closedAtEnd(await openTestServices());
afterEach(() => vi.useRealTimers());

const lookedAt = async () => (await services.database.query<{ look_at: string }>({ text: "SELECT look_at FROM imports" })).rows;

test("an import that takes long says so from time to time, and is not taken for a dead one", async () => {
  const { actor, website } = await services.makeTenant();
  const websiteId = website.id;
  const { lines } = await services.call(exportWebsite, actor, { websiteId });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  async function* slow(): AsyncGenerator<string> {
    for await (const line of lines) {
      const before = await lookedAt();
      services.pass(50 * SECOND);
      vi.advanceTimersByTime(5 * SECOND);
      await vi.waitFor(async () => expect(await lookedAt()).not.toEqual(before));
      services.pass(50 * SECOND);
      expect(await settleImports(services)).toBe(0);
      yield line;
    }
  }
  await services.call(importWebsite, actor, { websiteId, source: slow() });
  expect(await lookedAt()).toEqual([]);
});
