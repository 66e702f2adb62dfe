import type { KeyId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Signals } from "#ports/signals";

/**
 * Does what closes a key, a website or a workspace, and tells this node: what is kept of it gives no access any more, even if the database
 * goes away now. That holds too when it is not known whether the change was written.
 */
export async function closing(signals: Signals, id: KeyId | WebsiteId | WorkspaceId, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await signals.tellHere({ topic: "closed", id });
  }
}
