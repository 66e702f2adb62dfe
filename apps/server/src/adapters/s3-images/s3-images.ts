import { MAX_IMAGE_BYTES } from "#domain/image";
import { isImageKey, requireImageKey, translated } from "#domain/image-store-rules";
import type { Clock } from "#domain/time";
import type { GuardedAnswer, GuardedClient } from "#ports/guarded-client";
import type { ImageStore } from "#ports/image-store";
import { bytesOf, exactly, leave, StoreFault } from "#ports/store-requests";
import { readKeys } from "./read-keys.ts";
import { faultIn, type S3Address, s3Requests } from "./s3-request.ts";

const MOST_LIST_BYTES = 4 * 1024 * 1024;

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
  return {
    put: (key, body, contentType) =>
      translated(async () => {
        const answer = await ask({
          method: "PUT",
          key: requireImageKey(key),
          headers: { "content-type": contentType },
          body,
          mostBytes: 0,
        });
        if (answer.status !== 200) throw (await faultIn(answer)).fault;
        await leave(answer);
      }),

    get: (key) =>
      translated(async () => {
        const answer = await ask({ method: "GET", key: requireImageKey(key), mostBytes: MAX_IMAGE_BYTES });
        if (await isMissing(answer, 200)) return null;
        return bytesOf(answer);
      }),

    size: (key) =>
      translated(async () => {
        const answer = await ask({ method: "HEAD", key: requireImageKey(key), mostBytes: 0 });
        if (await isMissing(answer, 200)) return null;
        await leave(answer);
        const size = Number(answer.header("content-length"));
        if (!Number.isSafeInteger(size)) throw new StoreFault("The bucket did not say how large a file is.");
        return size;
      }),

    read: (key, first, last) => readPart(requireImageKey(key), first, last),

    delete: (key) =>
      translated(async () => {
        const answer = await ask({ method: "DELETE", key: requireImageKey(key), mostBytes: 0 });
        if (answer.status === 200 || answer.status === 204) return leave(answer);
        const { code, fault } = await faultIn(answer);
        if (code !== "NoSuchKey") throw fault;
      }),

    async *list(prefix) {
      requireImageKey(prefix.replace(/\/$/, ""));
      for (let after = ""; ;) {
        const { keys, isTruncated } = await translated(() => page(prefix, after));
        yield* keys.filter((key) => isImageKey(key));
        if (!isTruncated) return;
        const last = keys.at(-1) ?? "";
        if (last <= after) throw new StoreFault("The bucket's list does not go on: it names the same files again.");
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
      if (found.status !== 200 && found.status !== 206) throw (await faultIn(found)).fault;
      if (found.status === 206 && found.header("content-range")?.startsWith(`bytes ${first}-${last}/`)) return found;
      found.close();
      throw new StoreFault(
        found.status === 200 ? "The bucket does not send parts of a file." : "The bucket sent another part than was asked for.",
      );
    });
    yield* exactly(answer.body, last - first + 1, "The bucket");
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
