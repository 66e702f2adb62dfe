import { type EventType, type PostSummaryJson, TEST_EVENT } from "@stet/contract";
import type { EventId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { Website } from "#domain/website";

export type WebhookEventType = EventType | typeof TEST_EVENT;

/** The body of a delivery. `post` as the API shows it, without bodies; of a post that was never live only the id. */
export function webhookBody(
  event: PostEvent,
  website: Pick<Website, "id" | "name">,
  post: PostSummaryJson | null,
  coalesced: readonly EventId[],
): string {
  return bodyOf(event, website, {
    post: post ?? { id: event.postId },
    version: event.version,
    status: event.status,
    previousSlug: event.previousSlug,
    changed: event.changed,
    // The other events it stands for, oldest first, when the endpoint asked for many changes to be told as one.
    ...(coalesced.length > 0 && { coalesced }),
  });
}

export interface TestEvent {
  readonly id: EventId;
  readonly at: Timestamp;
  readonly actor: PostEvent["actor"];
}

/** The same shape with nothing in it, so that a receiver's own parsing is tried too. */
export const testBody = (event: TestEvent, website: Pick<Website, "id" | "name">): string =>
  bodyOf({ ...event, type: TEST_EVENT }, website, { post: null, version: 0, status: null, previousSlug: null, changed: [] });

function bodyOf(event: TestEvent & { readonly type: WebhookEventType }, website: Pick<Website, "id" | "name">, data: object): string {
  const { id, type, at, actor } = event;
  return JSON.stringify({
    id,
    type,
    apiVersion: "v1",
    createdAt: at,
    website: { id: website.id, name: website.name },
    actor: { type: actor.type, id: actor.id },
    data,
  });
}
