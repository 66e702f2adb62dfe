import { z } from "zod";
import type { MediaId, WebsiteId } from "#domain/ids";
import { fileKey, type MediaFile } from "#domain/media-file";
import type { Services } from "#operations/kernel/services";
import { settleImageBase } from "#operations/stores/helpers/image-base";
import type { HeldMove } from "#ports/moves";
import type { Mover, Stepped } from "./mover.ts";
import { moveFile } from "./move-file.ts";

const BATCH = 24;
/** Files that are moved side by side; each is in memory twice for a moment. */
const SIDE_BY_SIDE = 4;
/** How long a reader may take from finding a file to opening it, in seconds. */
const READERS_SECONDS = 5;
/** How soon one looks again for files that are just coming or leaving, or that nobody has read yet, in seconds. */
const AGAIN_SECONDS = 15;
const MOST_NAMED = 1_000;

/** As it is on record. "clearing": everything is there, and the copies with the install go. */
const positionSchema = z.object({
  phase: z.enum(["copying", "clearing"]).default("copying"),
  after: z.string().nullable().default(null),
  /** Whether this pass moved anything: then there is another, because uploads went on meanwhile. */
  moved: z.boolean().default(false),
  /** Images whose bytes are missing or damaged where they lie; the first thousand. */
  faulty: z.array(z.string()).default([]),
  /** Images of an older version that nobody has read since; they are read within the hour. */
  unread: z.number().default(0),
});
type ImagePosition = z.infer<typeof positionSchema>;

/** Images between the install and the own store of their website: copied, read back, compared, then on record as lying there. */
export const ownImagesMover: Mover = {
  async step(services, move, { isMine }) {
    const position = positionSchema.parse(move.position);
    return position.phase === "clearing" ? clear(services, move, position, isMine) : copy(services, move, position, isMine);
  },
};

async function copy(services: Services, move: HeldMove, position: ImagePosition, isMine: () => Promise<boolean>): Promise<Stepped> {
  const { websiteId, direction } = move;
  const { mediaFiles } = services.platform;
  const to = direction === "out" ? "own" : services.images.current;
  const files = await mediaFiles.listKept(websiteId, direction === "out" ? "managed" : "own", position.after as MediaId | null, BATCH);
  let { moved, unread } = position;
  const faulty = [...position.faulty];
  let after = position.after;
  for (let at = 0; at < files.length; at += SIDE_BY_SIDE) {
    const group = files.slice(at, at + SIDE_BY_SIDE);
    const results = await Promise.all(group.map(async (file) => (file.sha256 === null ? "unread" : moveFile(services, file, to))));
    results.forEach((result, n) => {
      if (result === "faulty" && faulty.length < MOST_NAMED) faulty.push(group[n]!.mediaId);
      if (result === "unread") unread += 1;
      if (result === "moved") moved = true;
    });
    after = group.at(-1)!.mediaId;
    if (!(await isMine())) return { progress: move, position: move.position, next: "more" };
  }
  const progress = await progressOf(services, move);
  if (files.length === BATCH) return { progress, position: { phase: "copying", after, moved, faulty, unread }, next: "more" };
  // The next pass finds what came meanwhile, and names anew what is missing.
  const again: ImagePosition = { phase: "copying", after: null, moved: false, faulty: [], unread: 0 };
  if (moved) return { progress, position: again, next: "more" };
  if (unread > 0) {
    const reason = `Waiting for ${unread} ${unread === 1 ? "image" : "images"} from an older version of Stet to be checked. This takes up to an hour.`;
    return { progress, position: again, next: AGAIN_SECONDS, reason };
  }
  const ended = { ...again, faulty };
  if (direction === "out") return { progress, position: { ...ended, phase: "clearing" }, next: READERS_SECONDS };
  return finishBack(services, move, progress, ended);
}

/** The copies with the install go, also those that a killed step left: every file that lies in the own store has none here. */
async function clear(services: Services, move: HeldMove, position: ImagePosition, isMine: () => Promise<boolean>): Promise<Stepped> {
  const { websiteId } = move;
  const files = await services.platform.mediaFiles.listKept(websiteId, "own", position.after as MediaId | null, BATCH * 4);
  for (let at = 0; at < files.length; at += SIDE_BY_SIDE) {
    // Whoever has it now may be on the way back, and these copies may be theirs.
    if (!(await isMine())) return { progress: move, position: move.position, next: "more" };
    await Promise.all(files.slice(at, at + SIDE_BY_SIDE).map((file) => removeCopies(services, file)));
  }
  const progress = await progressOf(services, move);
  if (files.length === BATCH * 4) return { progress, position: { ...position, after: files.at(-1)!.mediaId }, next: "more" };
  await settleImageBase(services, websiteId);
  const { faulty } = position;
  return {
    progress,
    position: { ...position, after: null },
    next: "done",
    ...(faulty.length > 0 && { reason: faultyWords(faulty.length, "here") }),
  };
}

async function removeCopies({ images, platform }: Services, file: MediaFile): Promise<void> {
  // Somebody may have begun to move it back.
  if ((await platform.mediaFiles.get(file.websiteId, file.mediaId))?.store !== "own") return;
  for (const name of images.names) await images.of(name).delete(fileKey(file));
}

/** Everything is back: the store is left. What is not keeps it, until somebody repairs it or its owner goes without. */
async function finishBack(services: Services, move: HeldMove, progress: Stepped["progress"], position: ImagePosition): Promise<Stepped> {
  const { websiteId } = move;
  const { faulty } = position;
  if (faulty.length > 0) return { progress, position, next: "failed", reason: faultyWords(faulty.length, "in your storage") };
  const website = await services.platform.websites.get(websiteId);
  const isLeft =
    website &&
    (await services.platform.locked(website.workspaceId, async (platform) => {
      // Read under the lock that uploads take: none of them is on its way there.
      const store = await platform.ownImageStores.get(websiteId);
      if (store?.state !== "leaving" || (await platform.mediaFiles.sums(websiteId)).own.files > 0) return false;
      await platform.ownImageStores.remove(websiteId);
      return true;
    }));
  return isLeft ? { progress, position, next: "done" } : { progress, position, next: AGAIN_SECONDS };
}

const faultyWords = (count: number, where: string): string =>
  count === 1
    ? `1 image is missing or damaged ${where} and was left out.`
    : `${count} images are missing or damaged ${where} and were left out.`;

/** Counted in the ledger and not in steps, so that nothing counts twice, whoever dies. */
async function progressOf({ platform }: Services, { websiteId, direction }: { websiteId: WebsiteId; direction: HeldMove["direction"] }) {
  const { own, managed } = await platform.mediaFiles.sums(websiteId);
  const target = direction === "out" ? own : managed;
  return {
    done: target.files,
    total: own.files + managed.files,
    bytesDone: target.bytes,
    bytesTotal: own.bytes + managed.bytes,
  };
}
