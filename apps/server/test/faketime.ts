import { globSync } from "node:fs";
import { canInstallDebianPackages, installDebianPackages } from "#test/debian-packages";
import type { Part } from "#test/parts";

const PLACES = ["/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib{,64}/faketime/libfaketime.so.1"];

/** The environment in which a program's clock is wrong by so much, such as `+1h`. */
export type WrongClock = (offset: string) => Record<string, string>;

/** libfaketime of this machine. `STET_TEST_FAKETIME` names another. */
export function findFaketime(): Part<WrongClock> {
  if (process.platform !== "linux") return { missing: "it is preloaded, which works on Linux only" };
  const library = process.env["STET_TEST_FAKETIME"] ?? globSync(PLACES)[0];
  if (!library) return { missing: `there is none at ${PLACES.join(", ")}; install libfaketime, or name it in STET_TEST_FAKETIME` };
  // Timers must run as they do elsewhere: only the time of day is wrong.
  const part: WrongClock = (offset) => ({ LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" });
  return { part, detail: `at ${library}` };
}

/** Installs Debian's where it is missing and can be. */
export async function prepareFaketime(): Promise<Part<WrongClock>> {
  const found = findFaketime();
  if (!("missing" in found) || process.platform !== "linux" || !canInstallDebianPackages()) return found;
  return installDebianPackages("libfaketime").then(findFaketime, (error: Error) => ({
    missing: `Debian's could not be installed: ${error.message}`,
  }));
}
