import type { Names } from "#ports/names";
import { type Address, type Host, isHostName } from "./address.ts";
import { DialFailure } from "./dial.ts";

export interface Seeds {
  readonly hosts: readonly Host[];
  readonly replicaSet: string | null;
  readonly authSource: string | null;
}

const MAX_HOSTS = 50;

/**
 * The hosts behind an address. What `mongodb+srv://` stands for is looked up here and not by the driver, so that every name passes
 * through one place; the hosts must lie in the same domain as the name, so that its record cannot lead elsewhere.
 */
export async function findSeeds(address: Address, names: Names): Promise<Seeds> {
  const said = { replicaSet: address.options.replicaSet ?? null, authSource: address.authSource };
  const [cluster] = address.hosts;
  if (!address.srv || !cluster) return { hosts: address.hosts, ...said };
  const fault = (problem: string) => new DialFailure("name", `The SRV record of ${cluster.name} ${problem}.`);
  const [found, texts] = await Promise.all([
    names.services(`_mongodb._tcp.${cluster.name}`).catch((error: NodeJS.ErrnoException) => {
      throw isAbsent(error)
        ? fault("was not found. Check the name, or use an address that starts with mongodb://")
        : fault("could not be looked up. Try again, and check the name servers");
    }),
    names.texts(cluster.name).catch((error: NodeJS.ErrnoException) => {
      if (isAbsent(error)) return [];
      throw fault("could not be looked up. Try again, and check the name servers");
    }),
  ]);
  const hosts = found.map(({ name, port }) => ({ name: name.toLowerCase().replace(/\.$/, ""), port }));
  const domain = cluster.name.slice(cluster.name.indexOf("."));
  if (hosts.length === 0 || hosts.length > MAX_HOSTS) throw fault(`must name 1 to ${MAX_HOSTS} hosts`);
  if (!hosts.every(({ name }) => isHostName(name) && name.endsWith(domain))) throw fault("names a host in another domain");
  const options = new URLSearchParams(texts[0] ?? "");
  const known = ["authSource", "replicaSet"];
  if (texts.length > 1 || [...options.keys()].some((key) => !known.includes(key)))
    throw new DialFailure(
      "name",
      `The TXT record of ${cluster.name} has options that are not supported. Only authSource and replicaSet are.`,
    );
  return { hosts, replicaSet: said.replicaSet ?? options.get("replicaSet"), authSource: said.authSource ?? options.get("authSource") };
}

const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === "ENOTFOUND" || code === "ENODATA";
