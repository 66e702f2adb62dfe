import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecrets, secretFile } from "./secret.ts";

let base: string;
let dataFolder: string;
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "stet-secret-"));
  dataFolder = path.join(base, "data");
});
afterEach(() => rm(base, { recursive: true, force: true }));

test("processes that start at once on a new data folder get the same secret", async () => {
  const loaded = await Promise.all(Array.from({ length: 20 }, () => loadSecrets({ secrets: null, dataFolder })));
  expect(new Set(loaded.flat()).size).toBe(1);
  expect(loaded[0]?.[0]?.length).toBeGreaterThanOrEqual(32);
  expect(await readdir(dataFolder)).toEqual(["secret"]);
});

test("nobody else can read the file, and a later start reads the same", async () => {
  const first = await loadSecrets({ secrets: null, dataFolder });
  expect((await stat(secretFile(dataFolder))).mode & 0o777).toBe(0o600);
  expect(await loadSecrets({ secrets: null, dataFolder })).toEqual(first);
});

test("STET_SECRET is used as it is, and no file is made", async () => {
  const secrets = ["s".repeat(32)];
  expect(await loadSecrets({ secrets, dataFolder })).toEqual(secrets);
  expect(await readdir(base)).toEqual([]);
});

test("a damaged file is refused, not replaced: a new secret would void every key", async () => {
  await loadSecrets({ secrets: null, dataFolder });
  await writeFile(secretFile(dataFolder), "");
  await expect(loadSecrets({ secrets: null, dataFolder })).rejects.toThrow(/is damaged/);
});
