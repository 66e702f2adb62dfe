import type { JsonObject } from "#domain/json";
import type { MoveProgress } from "#domain/move";
import type { Services } from "#operations/kernel/services";
import type { HeldMove } from "#ports/moves";

/** What a step of a move came to. */
export interface Stepped {
  readonly progress: MoveProgress;
  /** Where the next step goes on. */
  readonly position: JsonObject;
  /** When the next step runs. "more": right away. A number: after so many seconds; `reason` says why. "failed": only after a person acts. */
  readonly next: "more" | "done" | "failed" | number;
  /** Why it failed or waits, in words. */
  readonly reason?: string;
}

/** The lease of a move, as the node sees it that has it. */
export interface Hold {
  /** Asks whether the move is still this node's to do, and keeps it for longer. To be asked often enough. */
  isMine(): Promise<boolean>;
  /** Throws `NotMine` where somebody else may have the move by now. Asks nobody while that cannot be. */
  requireMine(): Promise<void>;
}

/** Thrown where somebody else has the move by now. */
export class NotMine extends Error {}

/**
 * Moves one kind of thing, a little at a time. A step can be cut off at any moment and be taken again, also by two nodes at once; what it
 * cannot do for now it throws.
 */
export interface Mover {
  step(services: Services, move: HeldMove, hold: Hold): Promise<Stepped>;
}
