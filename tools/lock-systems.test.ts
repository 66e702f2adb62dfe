import { expect, test } from "vitest";
import { missingEntries, placesWithoutHash, readLock, withHashes } from "./lock-systems.ts";

test("the lock file names what every system needs (else: npx node tools/lock-systems.ts)", () => {
  expect(Object.keys(missingEntries(readLock()))).toEqual([]);
});

test("what a system needs is named with the exact version, for that system only", () => {
  const optionalDependencies = {
    "@a/core-linux-arm64-musl": "1.2.3",
    "@a/core-linux-arm-gnueabihf": "1.2.3",
    "@a/core-darwin-x64": "1.2.3",
  };
  const packages = { "node_modules/a": { version: "1.2.3", dev: true as const, optionalDependencies } };
  expect(missingEntries({ packages })).toEqual({
    "node_modules/@a/core-linux-arm64-musl": { version: "1.2.3", dev: true, optional: true, os: ["linux"], cpu: ["arm64"], libc: ["musl"] },
    "node_modules/@a/core-linux-arm-gnueabihf": {
      version: "1.2.3",
      dev: true,
      optional: true,
      os: ["linux"],
      cpu: ["arm"],
      libc: ["glibc"],
    },
    "node_modules/@a/core-darwin-x64": { version: "1.2.3", dev: true, optional: true, os: ["darwin"], cpu: ["x64"] },
  });
  expect(() => missingEntries({ packages: { a: { optionalDependencies: { b: "^1.0.0" } } } })).toThrow("no exact version");
});

test("everything that any system installs has a hash (else choose the newest version that all systems have)", () => {
  expect(placesWithoutHash(readLock())).toEqual([]);
});

test("a hash that the registry knows is written down, what it does not have stays, and what has one is not asked for", async () => {
  const packages = {
    "": { version: "1.0.0" },
    "node_modules/ours": { link: true as const },
    "node_modules/known": { version: "1.0.0", integrity: "sha512-old" },
    "node_modules/@a/darwin-x64": { version: "1.2.3", optional: true as const },
    "apps/server/node_modules/@a/win32-x64": { version: "4.5.6", optional: true as const },
  };
  const asked: string[] = [];
  const lock = await withHashes({ packages }, async (name, version) => {
    asked.push(`${name}@${version}`);
    return name === "@a/darwin-x64" ? "sha512-new" : null;
  });
  expect(asked.toSorted()).toEqual(["@a/darwin-x64@1.2.3", "@a/win32-x64@4.5.6"]);
  expect(lock.packages["node_modules/@a/darwin-x64"]).toEqual({ version: "1.2.3", integrity: "sha512-new", optional: true });
  expect(placesWithoutHash(lock)).toEqual(["apps/server/node_modules/@a/win32-x64"]);
});
