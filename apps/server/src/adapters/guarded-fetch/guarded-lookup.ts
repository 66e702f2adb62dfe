import type { LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { Resolved } from "#ports/names";
import { Refusal } from "./faults.ts";
import type { Resolver } from "./resolve.ts";
import { PRIVATE } from "./target.ts";

/**
 * The socket asks this for the addresses of a name. It connects to one of the answers and asks nobody else, so a name that
 * means something else a moment later changes nothing. One closed address among several refuses the name.
 */
export function guardedLookup(resolve: Resolver, allowed: (address: string) => boolean): LookupFunction {
  const choose = callbackify(async (hostname: string, family: LookupOptions["family"]): Promise<[Resolved, ...Resolved[]]> => {
    const found = await resolve(hostname);
    const [first, ...rest] = found.filter((entry) => !family || family === entry.family || family === `IPv${entry.family}`);
    if (!first) throw Object.assign(new Error("No address"), { code: "ENOTFOUND" });
    if (!found.every(({ address }) => allowed(address))) throw new Refusal(PRIVATE);
    return [first, ...rest];
  });
  return (hostname, { all, family }, callback) =>
    choose(hostname, family, (error, found) => {
      if (error) callback(error, "");
      else if (all) callback(null, found);
      else callback(null, found[0].address, found[0].family);
    });
}
