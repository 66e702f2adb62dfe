import type { Output } from "../../../api/wire.ts";
import { capital } from "../../../lib/format.ts";

export type UndoItem = Output<"undo_connection">["items"][number];
type Step = UndoItem["steps"][number];
type Because = NonNullable<UndoItem["left"]>["because"];

const STEPS: Record<Step, string> = {
  restore: "restored from the trash",
  unpublish: "unpublished",
  publish: "published again, as it was",
  update: "live version reverted",
  edit: "text reverted",
  schedule: "scheduled as before",
  review: "review request as before",
  trash: "moved to the trash",
  delete: "deleted",
  "delete if unused": "deleted if unused",
  "trash if unused": "moved to the trash if unused",
  "restore image": "restored from the trash",
  "set back": "reverted",
  "bring back": "brought back",
};

/** "Off the website again, text reverted". */
export function stepWords({ steps, missedItsTime, keepsSlug }: UndoItem): string {
  const words = steps.map((step) => STEPS[step]);
  if (missedItsTime) words.push("not scheduled, because its time has passed");
  if (keepsSlug) words.push("keeping its address, because another post has the old one");
  return capital(words.join(", "));
}

const LEFT: Record<Because, (by: string | null) => string> = {
  "changed by others": (by) => `${by ?? "Someone else"} changed it later`,
  "changed again": () => "The app changed it again after this list was created",
  "history missing": () => "The earlier version is no longer in the history",
  gone: () => "It was deleted permanently",
  "not allowed": () => "Your role does not allow it",
  "in use": () => "A post still uses it",
  failed: () => "It could not be undone",
};

export function leftWords(left: NonNullable<UndoItem["left"]>): string {
  const words = LEFT[left.because](left.by);
  return left.because === "failed" && left.message ? `${words}: ${left.message}` : `${words}.`;
}

const KINDS: Readonly<Record<string, string>> = { post: "Post", cat: "Category", tag: "Tag", author: "Author", media: "Image" };

export const kindWords = ({ id }: UndoItem): string => KINDS[id.slice(0, id.indexOf("_"))] ?? "Item";
