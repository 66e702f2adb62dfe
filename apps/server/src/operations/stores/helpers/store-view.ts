import type { WebsiteId } from "#domain/ids";
import { type Move, secondsLeft } from "#domain/move";
import type { OwnImageStore } from "#domain/own-image-store";
import type { Platform } from "#ports/platform";

/** What is shown of the store: everything but its key. */
type StoreFacts = Omit<OwnImageStore, "websiteId" | "address"> & {
  /** The server can no longer read the key: it must be entered again. */
  readonly needsKey: boolean;
};

export interface MoveView extends Pick<
  Move,
  "direction" | "state" | "done" | "total" | "bytesDone" | "bytesTotal" | "error" | "startedAt" | "changedAt"
> {
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

/** Where the images of a website lie, and what is under way. */
export interface ImageStoreView {
  /** Null: they lie with the install. */
  readonly store: StoreFacts | null;
  /** The last one; null where there was none. */
  readonly move: MoveView | null;
  readonly own: { readonly files: number; readonly bytes: number };
  readonly managed: { readonly files: number; readonly bytes: number };
}

export async function viewStore(platform: Platform, websiteId: WebsiteId): Promise<ImageStoreView> {
  const [store, move, { own, managed }] = await Promise.all([
    platform.ownImageStores.get(websiteId),
    platform.moves.get(websiteId, "images"),
    platform.mediaFiles.sums(websiteId),
  ]);
  return {
    store: store && factsIn(store),
    move: move && moveView(move),
    own: { files: own.files, bytes: own.bytes },
    managed: { files: managed.files, bytes: managed.bytes },
  };
}

function factsIn({ websiteId: _, address, ...facts }: OwnImageStore): StoreFacts {
  return { ...facts, needsKey: address === "" };
}

const moveView = (move: Move): MoveView => {
  const { direction, state, done, total, bytesDone, bytesTotal, bytesPerSecond, error, startedAt, changedAt } = move;
  const shown = { direction, state, done, total, bytesDone, bytesTotal, error, startedAt, changedAt };
  return { ...shown, bytesPerSecond: bytesPerSecond === null ? null : Math.round(bytesPerSecond), secondsLeft: secondsLeft(move) };
};
