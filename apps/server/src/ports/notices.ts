import type { WebsiteId, WorkspaceId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Timestamp } from "#domain/time";

/** Something the owner of a workspace should know without looking for it. */
interface Notice {
  readonly workspaceId: WorkspaceId;
  /** Null: it is about the whole workspace. */
  readonly websiteId: WebsiteId | null;
  /** The job that noticed. */
  readonly job: string;
  readonly at: Timestamp;
  /** The event, as the activity log names it: `webhook_failing`, `webhook_switched_off`, `quota_warning`, `disk_space`. */
  readonly kind: string;
  readonly target: { readonly id: string; readonly label: string };
  readonly details: JsonObject;
  /** Told again with the same key, it is still one notice. */
  readonly key: string;
}

export interface Notices {
  tell(notice: Notice): Promise<void>;
}
