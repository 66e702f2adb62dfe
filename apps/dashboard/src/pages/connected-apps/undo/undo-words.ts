import type { Output } from "../../../api/wire.ts";
import { capital } from "../../../lib/format.ts";

export type UndoItem = Output<"undo_connection">["items"][number];
type Step = UndoItem["steps"][number];
type Because = NonNullable<UndoItem["left"]>["because"];

const STEPS: Record<Step, string> = {
  restore: "back out of the trash",
  unpublish: "off the website again",
  publish: "published again, as it was",
  update: "what readers see set back",
  edit: "text set back",
  schedule: "scheduled as before",
  review: "review request as before",
  trash: "to the trash",
  delete: "deleted",
  "delete if unused": "deleted, if nothing uses it then",
  "trash if unused": "to the trash, if nothing uses it then",
  "restore image": "back out of the trash",
};

/** "Off the website again, text set back". */
export function stepWords({ steps, missedItsTime, keepsSlug }: UndoItem): string {
  const words = steps.map((step) => STEPS[step]);
  if (missedItsTime) words.push("not scheduled, because its time has passed");
  if (keepsSlug) words.push("keeping its address, because another post has the old one");
  return capital(words.join(", "));
}

const LEFT: Record<Because, (by: string | null) => string> = {
  "changed by others": (by) => `${by ?? "Someone else"} changed it after that`,
  "changed again": () => "The tool changed it again since this list was made",
  "history missing": () => "What it was before is no longer in the history",
  gone: () => "It was removed for good",
  "not allowed": () => "Your role does not allow it",
  "no revisions": () => "It was there before and changed; terms and images have no versions to go back to",
  "in use": () => "A post still uses it",
  failed: () => "It could not be set back",
};

export function leftWords(left: NonNullable<UndoItem["left"]>): string {
  const words = LEFT[left.because](left.by);
  return left.because === "failed" && left.message ? `${words}: ${left.message}` : `${words}.`;
}

const KINDS: Readonly<Record<string, string>> = { post: "Post", cat: "Category", tag: "Tag", author: "Author", media: "Image" };

export const kindWords = ({ id }: UndoItem): string => KINDS[id.slice(0, id.indexOf("_"))] ?? "Thing";
