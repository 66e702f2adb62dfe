import { z } from "zod";
import type { UndoStep } from "#domain/undo";
import type { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { moment } from "../../kernel/inputs.ts";
import { connectionId } from "../helpers/connection-view.ts";

/** Why something stays as it is. */
export type LeftBecause =
  /** Somebody else, or another tool, changed it after the connection did. */
  | "changed by others"
  /** The connection changed it once more, after the preview. */
  | "changed again"
  /** The content to go back to is no longer in the history. */
  | "history missing"
  | "gone"
  /** The role of the person who undoes does not allow it. */
  | "not allowed"
  | "in use"
  | "failed";

/** One thing that undo changes, would change, or leaves alone. */
export interface UndoItem {
  readonly websiteId: WebsiteId;
  readonly id: string;
  /** Empty when the asker may not know it. */
  readonly label: string;
  /** The steps of its undo, in this order. Empty: it is left alone. */
  readonly steps: readonly (UndoStep | ThingStep)[];
  readonly left: { readonly because: LeftBecause; readonly by: string | null; readonly message: string | null } | null;
  /** It was scheduled for a time that has passed: it becomes a draft, and a person decides. */
  readonly missedItsTime: boolean;
  /** Another post has its old slug by now: it keeps the one it has. */
  readonly keepsSlug: boolean;
}

/** The steps that undo can take with a term or an image. */
export type ThingStep = "set back" | "bring back" | "delete" | "delete if unused" | "trash" | "trash if unused" | "restore image";

export const leftItem = (
  of: Pick<UndoItem, "websiteId" | "id" | "label">,
  because: LeftBecause,
  facts: { by?: string | null; message?: string } = {},
): UndoItem => ({
  websiteId: of.websiteId,
  id: of.id,
  label: of.label,
  steps: [],
  left: { because, by: facts.by ?? null, message: facts.message ?? null },
  missedItsTime: false,
  keepsSlug: false,
});

/** Passes by itself: the step is asked for again, instead of leaving everything after it alone. */
export const isOutage = ({ code }: Failure): boolean =>
  code === "CONTENT_STORE_UNAVAILABLE" || code === "UNAVAILABLE" || code === "STORAGE_FULL";

export const doneItem = (of: Pick<UndoItem, "websiteId" | "id" | "label">, steps: UndoItem["steps"]): UndoItem => ({
  websiteId: of.websiteId,
  id: of.id,
  label: of.label,
  steps,
  left: null,
  missedItsTime: false,
  keepsSlug: false,
});

/** Which of a connection's changes: those it made between two moments, both included. */
export const undoShape = { connectionId, since: moment, until: moment };

/** First the posts, the one changed last first; then terms and images, which posts may have let go of by then. */
export const pageShape = { phase: z.enum(["posts", "things"]).default("posts"), cursor: z.string().max(2_000).optional() };

export interface UndoPage {
  readonly items: readonly UndoItem[];
  /** Where to go on; null when nothing is left. */
  readonly next: { readonly phase: "posts" | "things"; readonly cursor: string | null } | null;
}
