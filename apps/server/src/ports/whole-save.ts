import type { Post } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { ToolSave } from "#domain/tool-save";
import type { ConnectionStanding } from "#ports/connections";
import type { SaveResult } from "#ports/save-result";
import type { SlugClaim } from "#ports/slug-claims";
import type { ActivityLine } from "#ports/platform";

/** Everything that one save of a post concerns, in the content store and in the platform. */
export interface WholeSave {
  /** With the revision and the events of this save pending, and of no other. */
  readonly post: Post;
  /** The version that it replaces, as it was read; null: it is to be inserted. */
  readonly before: Post | null;
  /** True when what a key can see changes. */
  readonly visible: boolean;
  /** The slug that the post takes with this save. */
  readonly claim: SlugClaim | null;
  /** Slugs that the post no longer needs, to be given up unless they were claimed again at `now` or later. */
  readonly release: readonly string[];
  readonly now: Timestamp;
  /** The post before a connected tool, or a person who undoes one, saves it. */
  readonly toolSave: ToolSave | null;
  /** Written only while this is in force, which it stays until the commit; "stale" otherwise. For saves of connected tools. */
  readonly onlyWhile?: ConnectionStanding;
  /** The lines of the activity log about the save. */
  readonly lines: readonly ActivityLine[];
}

/** "slug taken": another post has the slug; nothing of the save was written. */
export type WholeSaveResult = SaveResult | "slug taken";
