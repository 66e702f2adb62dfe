import type { WebsiteId } from "#domain/ids";
import type { Move, MoveDirection, MoveProgress, MoveSubject } from "#domain/move";
import type { Timestamp } from "#domain/time";

/** A move that this holder alone works at until its lease ends. */
export interface HeldMove extends Move {
  readonly holder: string;
}

interface MoveStep extends Partial<MoveProgress>, Partial<Pick<Move, "position" | "state" | "error" | "failures">> {
  /** Null: the lease goes on. A number of seconds: it ends, and nobody looks before they are over. */
  readonly restSeconds: number | null;
}

/** Moves on record, one a website and subject. Leases and rests are measured by the database's clock alone. */
export interface Moves {
  get(websiteId: WebsiteId, subject: MoveSubject): Promise<Move | null>;
  /** Begins anew, or at the position given, in place of the one before; one that is under way goes on, or turns around where the direction is another. */
  start(websiteId: WebsiteId, subject: MoveSubject, direction: MoveDirection, at: Timestamp, position?: Move["position"]): Promise<void>;
  /** The one that has waited longest, of all or of one website; null where none is due. Those of deleted websites are never due. */
  claim(holder: string, leaseSeconds: number, only?: { websiteId: WebsiteId; subject: MoveSubject }): Promise<HeldMove | null>;
  /** False, and nothing is written, when it is somebody else's by now, or was stopped. */
  record(move: HeldMove, step: MoveStep, leaseSeconds: number): Promise<boolean>;
  /** False when none is running. */
  stop(websiteId: WebsiteId, subject: MoveSubject): Promise<boolean>;
}
