import { hash } from "node:crypto";
import { canonicalJson } from "#domain/canonical-json";

/** How many records of a kind there are, and a number that is the same exactly where they are. */
export interface Checksum {
  readonly count: number;
  readonly sha256: string;
}

const BITS = 256n;

/** The same for two records exactly where they are the same, whichever engines they were read from. */
export const hashOf = (kind: string, record: object): string => hash("sha256", canonicalJson({ type: kind, ...record }), "hex");

/**
 * Sums up records as they come, in any order and without keeping them: two stores with the same records have the same sums, whichever
 * engines they are. Each record is hashed as canonical text, and the hashes are added, so that one that is there twice counts twice.
 */
export function createChecksums<Kind extends string>(kinds: readonly Kind[]) {
  const sums = new Map<Kind, { count: number; sum: bigint }>(kinds.map((kind) => [kind, { count: 0, sum: 0n }]));
  const addHash = (kind: Kind, hashed: string): void => {
    const { count, sum } = sums.get(kind)!;
    sums.set(kind, { count: count + 1, sum: BigInt.asUintN(Number(BITS), sum + BigInt(`0x${hashed}`)) });
  };
  return {
    add: (kind: Kind, record: object): void => addHash(kind, hashOf(kind, record)),
    addHash,
    result: (): Readonly<Record<Kind, Checksum>> =>
      Object.fromEntries(
        [...sums].map(([kind, { count, sum }]) => [kind, { count, sha256: sum.toString(16).padStart(Number(BITS) / 4, "0") }]),
      ) as Record<Kind, Checksum>,
  };
}
