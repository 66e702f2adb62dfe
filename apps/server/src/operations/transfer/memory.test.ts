import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { buildContent, buildPublishedPost } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { exportWebsite } from "./export-website.ts";
import { importWebsite } from "./import-website.ts";
import { canonicalJson } from "#domain/canonical-json";
import { postRecord } from "./helpers/records.ts";

/** 60 MB in all: what is held of it would show. */
const POSTS = 300;
const BODY_BYTES = 100_000;
const SLACK_MB = 10;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heldMb = () => {
  collect();
  // Texts of this size lie on the heap. What the driver read them from is freed in the background, so it is not counted.
  return process.memoryUsage().heapUsed / 1e6;
};

const services = closedAtEnd(
  await openTestServices({
    render: async () => ({ rendererVersion: 1, html: "", headings: [], text: "", wordCount: 1, readingMinutes: 1 }),
  }),
);

describe("memory", () => {
  test("import and export hold a few posts at a time, however long the file is", async () => {
    const { actor, website } = await services.makeTenant();
    const held: { imported: number[]; exported: number[] } = { imported: [], exported: [] };

    async function* source() {
      const manifest = { name: "x", settings: {}, fieldDefinitions: [] };
      yield `${canonicalJson({ type: "manifest", format: 1, exportedAt: "2026-11-15T09:00:00.000Z", website: manifest, mediaBase: "" } as never)}\n`;
      for (let n = 0; n < POSTS; n++) {
        // Text that differs everywhere, so that nothing of it is shared.
        const word = `${n} `;
        const body = word.repeat(Math.ceil(BODY_BYTES / word.length));
        yield `${canonicalJson(postRecord(buildPublishedPost(n, { working: buildContent(n, { body }) })))}\n`;
        if (n % 100 === 99) held.imported.push(heldMb());
      }
    }
    // The closing line is missing on purpose: the whole file was read all the same.
    await expect(services.call(importWebsite, actor, { websiteId: website.id, source: source() })).rejects.toMatchObject({
      facts: { soFar: { imported: { post: POSTS } } },
    });

    const { lines } = await services.call(exportWebsite, actor, { websiteId: website.id });
    let bytes = 0;
    let count = 0;
    for await (const line of lines) {
      bytes += line.length;
      if (++count % 100 === 0) held.exported.push(heldMb());
    }
    expect(bytes).toBeGreaterThan(POSTS * BODY_BYTES * 2);
    for (const series of [held.imported, held.exported]) {
      expect(series.length).toBe(3);
      expect(series.at(-1)! - series[0]!).toBeLessThan(SLACK_MB);
    }
  }, 120_000);
});
