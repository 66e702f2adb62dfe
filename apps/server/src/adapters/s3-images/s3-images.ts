import { fail } from "#domain/failure";
import { MAX_IMAGE_BYTES } from "#domain/image";
import type { Clock } from "#domain/time";
import type { GuardedAnswer, GuardedClient } from "#ports/guarded-client";
import type { ImageStore } from "#ports/image-store";
import { readKeys } from "./read-keys.ts";
import { faultIn, leave, type S3Address, S3Fault, s3Requests } from "./s3-request.ts";

const MOST_LIST_BYTES = 4 * 1024 * 1024;
/** As the disk has it: names of harmless characters, so that a key is the same in an address, a signature and a list. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}){0,3}$/;

export interface S3ImagesOptions {
  readonly address: S3Address;
  readonly client: GuardedClient;
  readonly clock: Clock;
  /** Waiting for the bucket in all, for one question, in milliseconds. */
  readonly patienceMillis?: number;
  readonly keysAPage?: number;
}

/** Images in a bucket that speaks the S3 protocol. */
export function openS3Images(options: S3ImagesOptions): ImageStore {
  const { keysAPage = 1_000, patienceMillis = 60_000 } = options;
  const ask = s3Requests({ ...options, patienceMillis });
  const keyed = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`Not a key of the image store: ${JSON.stringify(key.slice(0, 100))}`);
    return key;
  };
  return {
    put: (key, body, contentType) =>
      translated(async () => {
        const answer = await ask({ method: "PUT", key: keyed(key), headers: { "content-type": contentType }, body, mostBytes: 0 });
        if (answer.status !== 200) throw (await faultIn(answer)).fault;
        await leave(answer);
      }),

    get: (key) =>
      translated(async () => {
        const answer = await ask({ method: "GET", key: keyed(key), mostBytes: MAX_IMAGE_BYTES });
        if (await isMissing(answer, 200)) return null;
        const pieces: Uint8Array[] = [];
        for await (const piece of answer.body) pieces.push(piece);
        return Buffer.concat(pieces);
      }),

    size: (key) =>
      translated(async () => {
        const answer = await ask({ method: "HEAD", key: keyed(key), mostBytes: 0 });
        if (await isMissing(answer, 200)) return null;
        await leave(answer);
        const size = Number(answer.header("content-length"));
        if (!Number.isSafeInteger(size)) throw new S3Fault("The bucket did not say how large a file is.");
        return size;
      }),

    read: (key, first, last) => readPart(keyed(key), first, last),

    delete: (key) =>
      translated(async () => {
        const answer = await ask({ method: "DELETE", key: keyed(key), mostBytes: 0 });
        if (answer.status === 200 || answer.status === 204) return leave(answer);
        const { code, fault } = await faultIn(answer);
        if (code !== "NoSuchKey") throw fault;
      }),

    async *list(prefix) {
      keyed(prefix.replace(/\/$/, ""));
      for (let after = ""; ;) {
        const { keys, isTruncated } = await translated(() => page(prefix, after));
        yield* keys.filter((key) => KEY.test(key));
        if (!isTruncated) return;
        const last = keys.at(-1) ?? "";
        if (last <= after) throw new S3Fault("The bucket's list does not go on: it names the same files again.");
        after = last;
      }
    },
  };

  async function page(prefix: string, after: string) {
    const query = { "list-type": "2", prefix, "max-keys": String(keysAPage), ...(after && { "start-after": after }) };
    const answer = await ask({ method: "GET", key: "", query, mostBytes: MOST_LIST_BYTES });
    if (answer.status !== 200) throw (await faultIn(answer)).fault;
    return readKeys(answer, prefix);
  }

  async function* readPart(key: string, first: number, last: number): AsyncGenerator<Uint8Array> {
    const answer = await translated(async () => {
      const asked = { method: "GET", key, headers: { range: `bytes=${first}-${last}` }, mostBytes: last - first + 1 } as const;
      const found = await ask(asked);
      if (found.status !== 206)
        throw found.status === 200 ? new S3Fault("The bucket does not send parts of a file.") : (await faultIn(found)).fault;
      if (!found.header("content-range")?.startsWith(`bytes ${first}-${last}/`))
        throw new S3Fault("The bucket sent another part than was asked for.");
      return found;
    });
    let left = last - first + 1;
    for await (const piece of answer.body) {
      left -= piece.byteLength;
      if (left < 0) throw new S3Fault("The bucket sent more than was asked for.");
      yield piece;
    }
    if (left > 0) throw new S3Fault("The bucket sent less than was asked for.");
  }
}

/** False when the answer has this status; true when there is no such file. Anything else is a fault. */
async function isMissing(answer: GuardedAnswer, status: number): Promise<boolean> {
  if (answer.status === status) return false;
  const { code, fault } = await faultIn(answer);
  // An answer to HEAD has no body that could say what is missing.
  if (answer.status === 404 && (code === "NoSuchKey" || code === "")) return true;
  throw fault;
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What the bucket said is for its operator: it stays in the cause, for the log.
    const failure = fail("UNAVAILABLE", "The image storage is not available right now. Nothing was lost; try again.");
    failure.cause = error;
    throw failure;
  }
}
