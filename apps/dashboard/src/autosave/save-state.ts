import type { ContentKey, OpenedPost } from "./content.ts";

export interface Conflict {
  /** The post as it is on the server now. */
  readonly theirs: OpenedPost;
  /** What both sides changed. */
  readonly keys: readonly ContentKey[];
}

/** Whether what was typed has reached the server. */
export type SaveState =
  | { readonly phase: "saved" }
  /** Typed, not yet sent. */
  | { readonly phase: "edited" }
  | { readonly phase: "saving" }
  /** The server could not be reached or could not answer; it is tried again by itself. `keptHere`: the text would survive a closed tab. */
  | { readonly phase: "waiting"; readonly message: string; readonly code: string; readonly keptHere: boolean }
  /** Some fields were refused; the others are saved. */
  | { readonly phase: "refused"; readonly errors: Readonly<Partial<Record<ContentKey, string>>> }
  /** The server will not take it, now or later: not allowed, signed out, in the trash. */
  | { readonly phase: "stopped"; readonly message: string; readonly code: string }
  /** Someone else changed the same. Nothing is sent until a person has decided. */
  | { readonly phase: "conflict"; readonly conflict: Conflict };
