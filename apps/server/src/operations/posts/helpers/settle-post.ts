import { pendingRevisionOf } from "#domain/pending-revision";
import type { Post } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import type { Services } from "../../kernel/services.ts";

/**
 * Finishes a save: its events go to the event log, its revision to the history. Everything is idempotent by id,
 * so it may run twice, late, or on another node.
 */
export async function settlePost(services: Pick<Services, "platform">, content: ContentStore, post: Post): Promise<void> {
  const { pendingEvents, pendingRevision, websiteId, id } = post;
  if (pendingEvents.length === 0 && !pendingRevision) return;
  if (pendingEvents.length > 0) await services.platform.events.append(pendingEvents);
  await content.posts.settle(websiteId, id, {
    eventIds: pendingEvents.map((event) => event.id),
    revision: pendingRevisionOf(post),
  });
}
