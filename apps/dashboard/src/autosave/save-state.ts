import { ApiProblem } from "../lib/problem.ts";
import type { ContentKey, ServerPost } from "./content.ts";

export interface Conflict {
  /** The post as it is on the server now. */
  readonly theirs: ServerPost;
  /** The fields that both sides changed. */
  readonly keys: readonly ContentKey[];
}

/** Whether the edits have reached the server. */
export type SaveState =
  | { readonly phase: "saved" }
  /** There are edits that are not sent yet. */
  | { readonly phase: "edited" }
  | { readonly phase: "saving" }
  /** The server could not be reached or could not answer; the save is repeated automatically. `passesSoon`: the server knows that it lasts seconds. */
  | {
      readonly phase: "waiting";
      readonly message: string;
      readonly code: string;
      readonly passesSoon: boolean;
    }
  /** Some fields were refused; the others are saved. */
  | { readonly phase: "refused"; readonly errors: Readonly<Partial<Record<ContentKey, string>>> }
  /** The server refuses every save: the person may not edit, is signed out, or the post is in the trash. */
  | { readonly phase: "stopped"; readonly message: string; readonly code: string }
  /** Someone else changed the same fields. Nothing is sent until a person has decided. */
  | { readonly phase: "conflict"; readonly conflict: Conflict };

/** Whether something keeps the edits from the server, so that they may stay here for long. */
export const isStuck = ({ phase }: SaveState): boolean => ["waiting", "refused", "stopped", "conflict"].includes(phase);

/** Refuses an action on a post whose edits have not reached the server. */
export function requireSaved(state: SaveState): void {
  if (state.phase === "refused") throw new Error(`Not everything is saved: ${Object.values(state.errors).join("; ")}`);
  if (state.phase === "saved" || state.phase === "edited") return;
  throw new Error("Your latest changes are not saved yet. Try again once they are.");
}

/** The save before an action brought in what others wrote: a person looks at it before it is published. */
export const changedMeanwhile = () =>
  new ApiProblem({ status: 409, code: "VERSION_CONFLICT", detail: "Someone else just changed this post. Look at it, then try again." });
