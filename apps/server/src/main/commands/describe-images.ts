import type { ImageStoreView, MoveView } from "#operations/stores/helpers/store-view";

const STATES = {
  connected: "connected; new images stay here until it is activated",
  active: "active; new images go there",
  leaving: "being disconnected; new images stay here",
} as const;

/** Where the images of a website lie and what is under way, for a person at a terminal. */
export function describeImages({ store, move, own, managed }: ImageStoreView): string {
  const lines = [store ? `Image storage: ${store.place}, ${STATES[store.state]}.` : "Image storage: this server's."];
  if (store?.needsKey) lines.push("Its key cannot be read any more: connect it again.");
  if (store?.error) lines.push(`The last time it failed: ${store.error}`);
  lines.push(`Images: ${counted(managed)} here, ${counted(own)} there.`);
  if (!store && own.files > 0) lines.push("Those there are missing until the storage is connected again.");
  if (move) lines.push(...describeMove(move));
  return lines.join("\n");
}

const counted = ({ files, bytes }: { files: number; bytes: number }): string => `${files} (${megabytes(bytes)})`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function describeMove({ direction, state, done, total, bytesPerSecond, secondsLeft, error }: MoveView): string[] {
  const way = direction === "out" ? "to the own storage" : "back to this server";
  const rate = bytesPerSecond === null ? "" : `, ${megabytes(bytesPerSecond)} a second`;
  const left = secondsLeft === null ? "" : `, ${secondsLeft} seconds left`;
  return [`Moving ${way}: ${state}, ${done} of ${total}${state === "running" ? rate + left : ""}.`, ...(error === null ? [] : [error])];
}
