import { lookup, Resolver as NameServers } from "node:dns/promises";
import type { Names, Resolved } from "#ports/names";

export type Resolver = Names["addresses"];

/** For one question, in milliseconds; then the next server is asked, or the same once more. */
const PATIENCE_MILLIS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers itself. The system's own look-up would hold one of a handful of threads that files and passwords need too: a
 * few customers with a name server that never answers would stop the whole service. Only where private targets are allowed
 * are names that this machine alone knows, such as `localhost`, looked up as well.
 */
export function createResolver(options: ResolverOptions): Resolver {
  return createNames(options).addresses;
}

interface ResolverOptions {
  readonly localNames: boolean;
  readonly servers?: readonly string[];
  readonly patienceMillis?: number;
}

export function createNames(options: ResolverOptions): Names {
  const names = new NameServers({ timeout: options.patienceMillis ?? PATIENCE_MILLIS, tries: TRIES });
  if (options.servers) names.setServers(options.servers);
  const addresses: Resolver = async (hostname) => {
    const [four, six] = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)]);
    const found = [...entries(four, 4), ...entries(six, 6)];
    if (found.length > 0) return found;
    if (options.localNames) return lookup(hostname, { all: true, order: "verbatim" });
    throw Object.assign(new Error("No address"), { code: isUnknown(four) && isUnknown(six) ? "ENOTFOUND" : "EAI_AGAIN" });
  };
  return {
    addresses,
    services: (name) => names.resolveSrv(name),
    texts: async (name) => (await names.resolveTxt(name)).map((parts) => parts.join("")),
  };
}

const entries = (answer: PromiseSettledResult<string[]>, family: number): Resolved[] =>
  answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];

/** The name servers know that there is no such name, or no address of this kind. */
function isUnknown(answer: PromiseSettledResult<string[]>): boolean {
  if (answer.status === "fulfilled") return true;
  const { code } = answer.reason as NodeJS.ErrnoException;
  return code === "ENOTFOUND" || code === "ENODATA";
}
