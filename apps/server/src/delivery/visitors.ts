import { createHmac } from "node:crypto";
import type { WebsiteId } from "#domain/ids";
import { dayOf, VISIT_MILLIS } from "#domain/reader-rules";
import type { Keyring } from "#ports/keyring";
import type { ReaderNumbers, View } from "#ports/reader-numbers";

/** 132 bits: enough that two visitors of a day never meet. */
const CHARACTERS = 22;

/** Facts that tell visitors apart, held only while one request is answered. */
export interface VisitorFacts {
  readonly websiteId: WebsiteId;
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Turns a visitor into a hash: under the day's salt, which is thrown away, and under the server secret, so that the
 * database alone cannot be searched for an address either. The website is part of it: nobody can be followed from one to
 * another. Neither the address nor the user agent is kept anywhere.
 */
export function createVisitors(services: { readonly readers: ReaderNumbers; readonly keyring: Keyring }) {
  const keys = new Map<string, Promise<string | null>>();

  function keyOf(day: string, salt: (day: string) => Promise<string | null>): Promise<string | null> {
    let key = keys.get(day);
    if (!key) {
      key = salt(day).then((found) => found && services.keyring.mac("visitor", found).hash);
      keys.set(day, key);
      key.catch(() => keys.delete(day));
    }
    return key;
  }

  return async ({ websiteId, address, userAgent }: VisitorFacts, now: Date): Promise<View["visitors"]> => {
    const today = dayOf(now);
    // A visitor who was counted just before midnight is still the same visitor for half an hour.
    const before = dayOf(now.getTime() - VISIT_MILLIS);
    for (const day of keys.keys()) if (day !== today && day !== before) keys.delete(day);
    const hash = (key: string) =>
      createHmac("sha256", key).update(`${websiteId}\n${address}\n${userAgent}`).digest("base64url").slice(0, CHARACTERS);
    const key = await keyOf(today, services.readers.saltOf);
    if (key === null) throw new Error(`There is no salt for ${today}.`);
    const keyBefore = before === today ? null : await keyOf(before, services.readers.saltLeft);
    return keyBefore === null ? [hash(key)] : [hash(keyBefore), hash(key)];
  };
}
