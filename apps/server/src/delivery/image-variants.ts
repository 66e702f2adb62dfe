import { LRUCache } from "lru-cache";
import type { NumberedEdit } from "#domain/image-edit";
import { type Variant, variantKey } from "#domain/image-variant";
import { endsAfter } from "#domain/lifetime";
import { type Clock, HOUR } from "#domain/time";
import type { ImageProcessor, Original } from "#ports/image-processor";
import type { VariantFiles } from "#ports/variant-files";

export interface VariantServices {
  readonly imageProcessor: ImageProcessor;
  readonly variantFiles: VariantFiles;
  readonly clock: Clock;
}

interface Bytes {
  readonly size: number;
  read(first: number, last: number): AsyncIterable<Uint8Array>;
}

/** The bytes of a variant of the image with this key; null where none can be made. */
export type FindVariant = (storageKey: string, variant: Variant, edit: NumberedEdit | null, original: Original) => Promise<Bytes | null>;

/** Kept ones are read, others made, once however many ask for one at the same time. */
export function createFindVariant({ imageProcessor, variantFiles, clock }: VariantServices): FindVariant {
  const beingMade = new Map<string, Promise<Bytes | null>>();
  /** Images that cannot be decoded: trying takes up to ten seconds, and the next attempt would end the same. */
  const impossible = new LRUCache<string, true>({ max: 10_000, ...endsAfter(HOUR, clock) });

  async function keptOne(key: string): Promise<Bytes | null> {
    const size = await variantFiles.size(key);
    return size ? { size, read: (first, last) => variantFiles.read(key, first, last) } : null;
  }

  async function make(key: string, variant: Variant, edit: NumberedEdit | null, original: Original): Promise<Bytes | null> {
    // Somebody may have made it between the look before and this one.
    const kept = await keptOne(key);
    if (kept) return kept;
    const made = await imageProcessor.makeVariant(original, variant, edit);
    // What is missing now may be there in a moment, and is asked for again.
    if (made === null) return null;
    if (typeof made === "string") {
      impossible.set(key, true);
      return null;
    }
    await variantFiles.put(key, made);
    return {
      size: made.byteLength,
      async *read(first, last) {
        yield made.subarray(first, last + 1);
      },
    };
  }

  return async (storageKey, variant, edit, original) => {
    const key = variantKey(storageKey, variant, edit);
    if (impossible.has(key)) return null;
    const kept = await keptOne(key);
    if (kept) return kept;
    const making = beingMade.get(key) ?? make(key, variant, edit, original).finally(() => beingMade.delete(key));
    beingMade.set(key, making);
    return making;
  };
}
