import { LRUCache } from "lru-cache";
import type { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";

/** That there is nothing at an address, as of a version of the content: a crawler with a list of old links asks again and again. */
interface Absence {
  readonly contentVersion: number;
  readonly websiteVersion: number;
  readonly failure: Failure;
}

/** What is known not to be there, of all websites together. */
export interface Absences {
  find(websiteId: WebsiteId, address: string): Absence | undefined;
  keep(websiteId: WebsiteId, address: string, absence: Absence): void;
}

/** As many as anybody likes to make up, so they are bounded in number and length. */
const MOST = 10_000;
const LONGEST = 300;

export function createAbsences(): Absences {
  const known = new LRUCache<string, Absence>({ max: MOST });
  // NUL stands in no id.
  const nameOf = (websiteId: WebsiteId, address: string): string => `${websiteId}\u0000${address}`;
  return {
    find: (websiteId, address) => known.get(nameOf(websiteId, address)),
    keep(websiteId, address, absence) {
      if (address.length <= LONGEST) known.set(nameOf(websiteId, address), absence);
    },
  };
}
