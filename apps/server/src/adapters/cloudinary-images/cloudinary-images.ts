import { MAX_IMAGE_BYTES } from "#domain/image";
import { isImageKey, requireImageKey, translated } from "#domain/image-store-rules";
import type { Clock } from "#domain/time";
import type { GuardedAnswer, GuardedClient } from "#ports/guarded-client";
import type { ImageStore } from "#ports/image-store";
import { bytesOf, exactly, leave, StoreFault, StoreRefusal } from "#ports/store-requests";
import type { CloudinaryAddress } from "./cloudinary-address.ts";
import { cloudinaryRequests, faultIn } from "./cloudinary-request.ts";
import { keyOf, type PublicId, publicIdOf } from "./public-id.ts";
import { fieldsOf, readPage } from "./read-answers.ts";

const MOST_LIST_BYTES = 4 * 1024 * 1024;

export interface CloudinaryImagesOptions {
  readonly address: CloudinaryAddress;
  readonly client: GuardedClient;
  readonly clock: Clock;
  /** Waiting for Cloudinary in all, for one question, in milliseconds. */
  readonly patienceMillis?: number;
  readonly keysAPage?: number;
}

/** Images at Cloudinary. Its caches keep what they delivered: only what must be true at this moment is asked past them. */
export function openCloudinaryImages(options: CloudinaryImagesOptions): ImageStore {
  const { keysAPage = 500, patienceMillis = 60_000 } = options;
  const cloudinary = cloudinaryRequests({ ...options, patienceMillis });
  return {
    put: (key, bytes) =>
      translated(async () => {
        const { id, format } = publicIdOf(key);
        const answer = await cloudinary.post("upload", { public_id: id, overwrite: "true", invalidate: "true" }, bytes);
        if (answer.status !== 200) throw await faultIn(answer);
        requireKept(await fieldsOf(answer), { id, format }, bytes.byteLength);
      }),

    get: (key) =>
      translated(async () => {
        const answer = await cloudinary.file(publicIdOf(key), { fresh: true, mostBytes: MAX_IMAGE_BYTES });
        return (await isMissing(answer)) ? null : bytesOf(answer);
      }),

    size: (key) =>
      translated(async () => {
        const answer = await cloudinary.file(publicIdOf(key), { method: "HEAD", fresh: true, mostBytes: 0 });
        if (await isMissing(answer)) return null;
        await leave(answer);
        const length = answer.header("content-length") ?? "";
        if (!/^\d{1,12}$/.test(length)) throw new StoreFault("Cloudinary did not say how large a file is.");
        return Number(length);
      }),

    read: (key, first, last) => readPart(publicIdOf(key), first, last),

    delete: (key) =>
      translated(async () => {
        const answer = await cloudinary.post("destroy", { public_id: publicIdOf(key).id, invalidate: "true" });
        if (answer.status !== 200) throw await faultIn(answer);
        const { result } = await fieldsOf(answer);
        if (result !== "ok" && result !== "not found") throw new StoreFault("Cloudinary did not say that the file was deleted.");
      }),

    async *list(prefix) {
      requireImageKey(prefix.replace(/\/$/, ""));
      const seen = new Set<string>();
      for (let next: string | null = null; ;) {
        const page = await translated(() => pageOf(prefix, next));
        yield* page.ids.map(keyOf).filter((key) => isImageKey(key));
        if (page.next === null) return;
        if (seen.has(page.next) || page.ids.length === 0)
          throw new StoreFault("Cloudinary's list does not go on: it names the same page again.");
        seen.add(page.next);
        next = page.next;
      }
    },
  };

  async function pageOf(prefix: string, next: string | null) {
    const query = { prefix, max_results: String(keysAPage), ...(next !== null && { next_cursor: next }) };
    const answer = await cloudinary.list(query, MOST_LIST_BYTES);
    if (answer.status !== 200) throw await faultIn(answer);
    return readPage(answer, prefix);
  }

  /** Through its caches: the bytes behind a key never change. */
  async function* readPart(publicId: PublicId, first: number, last: number): AsyncGenerator<Uint8Array> {
    const answer = await translated(async () => {
      const headers = { range: `bytes=${first}-${last}` };
      const found = await cloudinary.file(publicId, { fresh: false, headers, mostBytes: MAX_IMAGE_BYTES });
      if (found.status !== 206 && found.status !== 200) throw await faultIn(found);
      if (found.status === 200 || found.header("content-range")?.startsWith(`bytes ${first}-${last}/`)) return found;
      found.close();
      throw new StoreFault("Cloudinary sent another part than was asked for.");
    });
    // A cache that does not have the file yet may send all of it.
    const pieces = answer.status === 206 ? answer.body : partOf(answer.body, first, last);
    yield* exactly(pieces, last - first + 1, "Cloudinary");
  }
}

/** What the account's settings made of it: an upload preset can change images when they come in, and ours must come back as they were. */
function requireKept(fields: Readonly<Record<string, unknown>>, { id, format }: PublicId, bytes: number): void {
  if (fields.public_id !== id)
    throw new StoreRefusal("Cloudinary stored the image under another name. Check the upload presets of the account.");
  if (fields.bytes !== bytes || fields.format !== format)
    throw new StoreRefusal("Cloudinary changed the image when it was uploaded. Check the upload presets of the account.");
}

/** False when there is an answer; true when there is no such file. Anything else is a fault. */
async function isMissing(answer: GuardedAnswer): Promise<boolean> {
  if (answer.status === 200) return false;
  if (answer.status !== 404) throw await faultIn(answer);
  await leave(answer);
  return true;
}

async function* partOf(pieces: AsyncIterable<Uint8Array>, first: number, last: number): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += piece.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > last) return;
  }
}
