import { expect, test } from "vitest";
import type { Services } from "./services.ts";
import { transportServices } from "./transport-services.ts";

test("a transport is given nothing to read or write with but operations", () => {
  const all = new Proxy({}, { get: (_, name) => ({ name, subscribe() {}, tellHere() {} }) }) as Services;
  const given = transportServices(all);
  expect(Object.keys(given).toSorted()).toEqual(["clock", "execute", "keyring", "lines", "onTrouble", "settings", "signals"]);
  expect(Object.keys(given.signals)).toEqual(["subscribe"]);
});
