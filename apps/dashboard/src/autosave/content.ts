import type { Output } from "../api/wire.ts";

/** A post as the server sends it. */
export type ServerPost = Output<"get_post">;
/** A post as the server answers a save: without the body, which it was just sent. */
export type SavedPost = Output<"edit_post">;
/** The parts of a post that a writer edits. */
export type Content = ServerPost["working"];
export type ContentKey = keyof Content;
/** Some of the content, with new values. */
export type Patch = Partial<Content>;

/** Bodies are long and are compared often, so only objects are compared by their parts. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other));

export const keysOf = (patch: Patch): ContentKey[] => (Object.keys(patch) as ContentKey[]).filter((key) => patch[key] !== undefined);

/** The part of a patch that these keys name. */
export const only = (patch: Patch, keys: readonly ContentKey[]): Patch =>
  Object.fromEntries(keys.filter((key) => patch[key] !== undefined).map((key) => [key, patch[key]]));

/** A short name for a value: two values with the same one are the same (53 bits; nothing here is worth forging). */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}
