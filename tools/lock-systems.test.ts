import { expect, test } from "vitest";
import { missingEntries, readLock } from "./lock-systems.ts";

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
