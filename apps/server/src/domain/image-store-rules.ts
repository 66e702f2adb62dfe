import { fail } from "#domain/failure";

/**
 * Up to four names of harmless characters, in every store alike: none begins with a dot, so nothing can climb out or hide, and a key is the
 * same in a path, an address, a signature and a list.
 */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}){0,3}$/;

export const isImageKey = (key: string): boolean => KEY.test(key);

export function requireImageKey(key: string): string {
  if (!isImageKey(key)) throw new Error(`Not a key of the image store: ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}

/**
 * What a store fails with, as callers see it. What the disk said names folders of this machine, and what a bucket said is for its
 * operator: it stays in the cause, for the log.
 */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = fail("UNAVAILABLE", "The image storage is not available right now. Nothing was lost; try again.");
    failure.cause = error;
    throw failure;
  }
}
