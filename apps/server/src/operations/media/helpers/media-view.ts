import type { TermId, MediaId, PostId } from "#domain/ids";
import type { PostStatus } from "@stet/contract";
import { notFound } from "#domain/failure";
import type { Media } from "#domain/media";
import { originalUrl, shownImage } from "#domain/shown-image";
import type { Term } from "#domain/term";
import { type Activity, idOf, type InWebsite, type SuggestionHead } from "../../kernel/operation.ts";
import { pages } from "../../kernel/pages.ts";
import { ownView } from "../../posts/list-posts.ts";

export const mediaId = idOf<MediaId>("media");

/** An image as people and tools see it. Where its bytes lie is nobody's business. */
export interface MediaView extends Omit<Media, "metadata"> {
  /** Where it is seen as it is shown to readers: cropped, rotated, and cut around its focal point where a ratio is asked for. */
  readonly shownUrl: string;
  /** The change waits for a person: what is here is what was there before. */
  readonly suggestion?: SuggestionHead;
}

export function mediaView(media: Media): MediaView {
  const { metadata: _, ...shown } = media;
  return { ...shown, url: originalUrl(media), shownUrl: shownImage(media).url };
}

export async function findMedia({ content, website }: InWebsite, id: MediaId): Promise<Media> {
  const media = await content.media.get(website.id, id);
  if (!media) throw notFound("image");
  return media;
}

export const aboutMedia = ({ id, filename, suggestion }: MediaView, details: Activity["details"] = {}): Activity => ({
  target: { id, label: filename },
  details: { ...(suggestion && { suggestion: suggestion.id }), ...details },
});

/** Where an image is shown. */
export interface MediaUse {
  /** Posts, not in the trash, that show it in their working or live copy. */
  readonly postCount: number;
  /** Some of them: those the asker may see, newest edit first. */
  readonly posts: readonly { readonly id: PostId; readonly title: string; readonly status: PostStatus }[];
  /** Authors whose portrait it is. */
  readonly authors: readonly { readonly id: TermId; readonly name: string }[];
}

const POSTS_NAMED = 20;

export async function findUse(context: InWebsite, id: MediaId): Promise<MediaUse> {
  const { content, website } = context;
  const [[postCount = 0], posts, shownFor] = await Promise.all([
    content.posts.countByFacet(website.id, [[id]]),
    content.posts.listHeads(website.id, {
      statuses: ["draft", "scheduled", "published", "unpublished"],
      facets: [[id]],
      sort: "-editedAt",
      after: null,
      limit: POSTS_NAMED,
      // A contributor is told how many there are, but not the titles of other people's drafts.
      ...ownView(context),
    }),
    authorsWith(context, id),
  ]);
  return {
    postCount,
    posts: posts.rows.map(({ id, title, status }) => ({ id, title, status })),
    authors: shownFor,
  };
}

export const isUsed = (use: MediaUse): boolean => use.postCount > 0 || use.authors.length > 0;

export async function authorsWith(context: InWebsite, mediaId: MediaId): Promise<MediaUse["authors"]> {
  const found: { readonly id: TermId; readonly name: string }[] = [];
  for await (const { id, name, profile } of authors(context)) if (profile?.avatarMediaId === mediaId) found.push({ id, name });
  return found;
}

/** Images that are the portrait of an author. */
export async function portraits(context: InWebsite): Promise<readonly MediaId[]> {
  const found = new Set<MediaId>();
  for await (const { profile } of authors(context)) if (profile?.avatarMediaId) found.add(profile.avatarMediaId);
  return [...found];
}

const AT_ONCE = 100;
const MOST_PAGES = 100;

/** Authors are few: walking them all is cheaper than an index that only this needs. */
const authors = ({ content, website }: InWebsite): AsyncGenerator<Term> =>
  pages((after) => content.terms.list(website.id, { kind: "author", after, limit: AT_ONCE }), MOST_PAGES);
