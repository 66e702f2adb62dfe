import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeSecret, readSecrets, secretFile } from "./secret.ts";

let base: string;
let dataFolder: string;
beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "stet-secret-"));
  dataFolder = path.join(base, "data");
});
afterEach(() => rm(base, { recursive: true, force: true }));

test("processes that start at once on a new data folder get the same secret", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => makeSecret({ dataFolder })));
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(made[0]?.secret.length).toBeGreaterThanOrEqual(32);
  expect(await readdir(dataFolder)).toEqual(["secret"]);
});

test("nobody else can read the file, and a later start reads the same", async () => {
  expect(await readSecrets({ secrets: null, dataFolder })).toBeNull();
  const { secret } = await makeSecret({ dataFolder });
  expect((await stat(secretFile(dataFolder))).mode & 0o777).toBe(0o600);
  expect(await readSecrets({ secrets: null, dataFolder })).toEqual([secret]);
});

test("STET_SECRET is used as it is, each secret once, and no file is made", async () => {
  const secrets = ["s".repeat(32), "t".repeat(32), "s".repeat(32)];
  expect(await readSecrets({ secrets, dataFolder })).toEqual(secrets.slice(0, 2));
  expect(await readdir(base)).toEqual([]);
});

test("a damaged file is refused, not replaced: a new secret would void every key", async () => {
  await makeSecret({ dataFolder });
  await writeFile(secretFile(dataFolder), "");
  await expect(readSecrets({ secrets: null, dataFolder })).rejects.toThrow(/is damaged/);
});
