import { hash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createChecksums } from "#domain/content-checksum";
import { RECORD_KINDS, type RecordKind } from "#ports/change-feed";
import { createRecordHashes } from "./record-hashes.ts";

test("it holds what a map of names and hashes holds, whatever is set, replaced and taken out", () => {
  const hashes = createRecordHashes();
  const map = new Map<string, { kind: RecordKind; hashed: string }>();
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let n = 0; n < 20_000; n++) {
    const name = `post  ${random(6_000)}`;
    if (random(4) === 0) {
      hashes.delete(name);
      map.delete(name);
      continue;
    }
    const kind = RECORD_KINDS[random(RECORD_KINDS.length)]!;
    const hashed = hash("sha256", String(n), "hex");
    hashes.set(name, kind, hashed);
    map.set(name, { kind, hashed });
  }
  for (let n = 0; n < 6_000; n++) expect(hashes.has(`post  ${n}`)).toBe(map.has(`post  ${n}`));
  const sums = createChecksums(RECORD_KINDS);
  for (const { kind, hashed } of map.values()) sums.addHash(kind, hashed);
  expect(hashes.sums()).toEqual(sums.result());
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heldMb = () => {
  collect();
  return process.memoryUsage().arrayBuffers / 1e6;
};

test("thirty thousand records take less than 3 MB", async () => {
  const before = heldMb();
  const hashes = createRecordHashes();
  for (let n = 0; n < 30_000; n++) hashes.set(`post  ${n}`, "post", "ab".repeat(32));
  // Memory is given back in the background.
  await expect.poll(() => heldMb() - before).toBeLessThan(3);
  expect(hashes.has("post  29999")).toBe(true);
});
