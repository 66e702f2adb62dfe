import type { EventId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import { webhookBody } from "#domain/webhook-body";
import type { Website } from "#domain/website";
import type { ContentSource } from "./content-source.ts";
import { presentPosts } from "./posts.ts";

export interface EventToShow {
  readonly event: PostEvent;
  /** The other events it stands for. */
  readonly coalesced?: readonly EventId[];
}

/** Events as a webhook carries them, in their order. Posts are shown as the API shows them, with one look-up for all. */
export async function eventBodies(
  source: ContentSource,
  website: Pick<Website, "id" | "name">,
  shown: readonly EventToShow[],
): Promise<readonly string[]> {
  const live = shown.flatMap(({ event }) => (event.post ? [{ ...event.post, id: event.postId }] : []));
  const posts = (await presentPosts(source, live)).values();
  return shown.map(({ event, coalesced = [] }) => webhookBody(event, website, event.post ? posts.next().value! : null, coalesced));
}
