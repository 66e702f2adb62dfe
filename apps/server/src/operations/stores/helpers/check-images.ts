import { setTimeout as delay } from "node:timers/promises";
import type { ImageStore } from "#ports/image-store";

/** How long the check of a store may take in all, in milliseconds. */
const CHECK_MILLIS = 10_000;

/** A file that is written, read, listed and deleted, to see whether a store does what it must. */
export interface Probe {
  readonly key: string;
  /** The folder that it lies in, with a slash at the end. */
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export type CheckStep = "write" | "read" | "part" | "list" | "public" | "delete";

export const STEP_WORDS: Readonly<Record<CheckStep, string>> = {
  write: "Writing a file",
  read: "Reading it back",
  part: "Reading a part of it",
  list: "Listing files",
  public: "Reading it at the public address",
  delete: "Deleting it",
};

export interface CheckFault {
  readonly step: CheckStep;
  /** What went wrong, in a sentence. */
  readonly reason: string;
}

/** Answers the step that failed and why, in words for whoever runs the store; null when all went well. */
export async function checkSteps(images: ImageStore, probe: Probe, readPublic?: () => Promise<Uint8Array>): Promise<CheckFault | null> {
  const { key, folder, bytes, contentType } = probe;
  const steps: readonly (readonly [CheckStep, () => Promise<unknown>])[] = [
    ["write", () => images.put(key, bytes, contentType)],
    ["read", async () => requireSame(await images.get(key), bytes)],
    ["part", async () => requireSame(await wholeOf(images.read(key, 1, 4)), bytes.subarray(1, 5))],
    ["list", async () => requireListed(images.list(folder), key)],
    ...(readPublic ? [["public", async () => requireSame(await readPublic(), bytes)] as const] : []),
    ["delete", () => images.delete(key)],
  ];
  const late = delay(CHECK_MILLIS, "late" as const, { ref: false });
  for (const [step, run] of steps) {
    const result = await Promise.race([run().then(() => null, reasonOf), late]);
    if (result === null) continue;
    void images.delete(key).catch(() => {});
    return { step, reason: result === "late" ? `no answer within ${CHECK_MILLIS / 1_000} seconds.` : result };
  }
  return null;
}

/** An adapter keeps what the other side said as the cause. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function requireSame(found: Uint8Array | null, expected: Uint8Array): void {
  if (!found || Buffer.compare(found, expected) !== 0) throw new Error("what came back is not what was written.");
}

async function requireListed(keys: AsyncIterable<string>, key: string): Promise<void> {
  for await (const listed of keys) if (listed === key) return;
  throw new Error("the file that was written is not in the list.");
}
