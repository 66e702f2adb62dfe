import { setTimeout as delay } from "node:timers/promises";
import type { GuardedAnswer } from "#ports/guarded-client";

/** Why a store that somebody else runs did not do what it was asked, in words for its operator. */
export class StoreFault extends Error {
  override readonly name: string = "StoreFault";
}

/** The store is there, and does not do this: not for this key, or not with this file. */
export class StoreRefusal extends StoreFault {
  override readonly name = "StoreRefusal";
}

/** What an answer that is no success means: a refusal, unless the store is busy or broken. */
export const faultOfStatus = (status: number, message: string): StoreFault =>
  status >= 400 && status < 500 && status !== 429 ? new StoreRefusal(message) : new StoreFault(message);

/** Rests between attempts, in milliseconds. Every question to a store can be asked twice. */
const RESTS = [200, 1_000] as const;

/** Asks again where the store is busy or did not answer. A fault is final. */
export async function askAgain(once: () => Promise<GuardedAnswer>): Promise<GuardedAnswer> {
  for (const rest of RESTS) {
    try {
      const answer = await once();
      if (answer.status < 500 && answer.status !== 429) return answer;
      await leave(answer);
    } catch (error) {
      if (error instanceof StoreFault) throw error;
      // Who waited so long already does not wait again.
      if (/^No complete answer|not allowed|private or reserved/.test((error as Error).message))
        throw new StoreFault((error as Error).message);
    }
    await delay(rest);
  }
  try {
    return await once();
  } catch (error) {
    throw error instanceof StoreFault ? error : new StoreFault((error as Error).message, { cause: error });
  }
}

/** Reads an answer to its end. */
export async function bytesOf(answer: GuardedAnswer): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export const textOf = async (answer: GuardedAnswer): Promise<string> => (await bytesOf(answer)).toString("utf8");

/** To its end where it is short, so that the connection can be used again. */
export async function leave(answer: GuardedAnswer): Promise<void> {
  await textOf(answer).catch(() => "");
}

/** So many bytes and no other number, piece by piece. `store` begins the sentence that says what went wrong. */
export async function* exactly(pieces: AsyncIterable<Uint8Array>, bytes: number, store: string): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    left -= piece.byteLength;
    if (left < 0) throw new StoreFault(`${store} sent more than was asked for.`);
    yield piece;
  }
  if (left > 0) throw new StoreFault(`${store} sent less than was asked for.`);
}
