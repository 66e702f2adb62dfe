import { fail, Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";

/** Where the content of a website lies: in the install's own store, or in the customer's database. */
export interface ContentHome {
  readonly kind: "managed" | "own";
  /** Raised each time that the content moves. What was read under another epoch may lie somewhere else by now. */
  readonly epoch: number;
}

/** Where the content of every new website lies. */
export const MANAGED: ContentHome = { kind: "managed", epoch: 0 };

/** As much of a website as finds its content. */
export interface HomedWebsite {
  readonly id: WebsiteId;
  readonly home: ContentHome;
}

/** A pause ends by itself after this many seconds, whatever became of whoever asked for it. */
export const MOST_PAUSE_SECONDS = 10;

/** The refusal of a write that meets the pause in which content moves. It passes within seconds. */
export const contentPaused = (): Failure =>
  fail("CONTENT_STORE_UNAVAILABLE", "The content of this website is being moved right now. Nothing was lost; save again in a moment.", {
    reason: "paused",
    retryAfterSeconds: 2,
  });

/** The refusal of a write to a store from which the content has moved away. Whoever looks again finds it. */
export const contentMoved = (): Failure =>
  fail("CONTENT_STORE_UNAVAILABLE", "The content of this website has just moved to another database. Nothing was lost; save again.", {
    reason: "moved",
    retryAfterSeconds: 1,
  });

const isRefusal =
  (reason: "moved" | "paused" | "refused") =>
  (error: unknown): boolean =>
    error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE" && error.facts.reason === reason;

export const isContentMoved = isRefusal("moved");
export const isContentPaused = isRefusal("paused");
/** The customer's database answered, and refused: nothing of it is still on its way. */
export const isRefusedThere = isRefusal("refused");
