import type { PostStatus } from "@stet/contract";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { Failure } from "#domain/failure";
import type { MediaId, PostId, TermId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";
import { isOutage } from "../connections/undo/undo-item.ts";
import { execute } from "../kernel/execute.ts";
import { idOf, type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { cursorShape } from "../kernel/paging.ts";
import { editTerm } from "../terms/edit-term.ts";
import { authorsWith, findMedia, mediaId } from "./helpers/media-view.ts";
import { requireReplacement } from "./helpers/require-replacement.ts";
import { replaceMediaInPost } from "./replace-media-in-post.ts";

/** A step stays well below the time that a browser waits; the caller goes on with `next`. Asked again, it does only the rest. */
const STEP = 20;
/** Somebody saves the post at the same moment: it is read again. */
const ATTEMPTS = 3;
const SORT = "createdAt";

interface ReplacedInPost {
  readonly id: PostId;
  readonly title: string;
  readonly status: PostStatus;
  /** It showed the new image before: nobody can tell the places apart any more, so undo leaves it alone. */
  readonly hadBoth: boolean;
}

interface ReplaceAnswer {
  /** The file names of both images. */
  readonly filename: string;
  readonly by: string;
  readonly posts: readonly ReplacedInPost[];
  readonly authors: readonly { readonly id: TermId; readonly name: string }[];
  /** What stayed as it is, and why. */
  readonly skipped: readonly { readonly id: string; readonly label: string; readonly message: string }[];
  readonly next: { readonly phase: "posts" | "live"; readonly cursor: string | null } | null;
}

/**
 * Puts an image in the place of another wherever that is shown: in posts of every status but the trash, and as the portrait of authors. The
 * bytes behind addresses stay; posts get another address, each by a save of its own as if a person had done it.
 */
export const replaceMedia = websiteOperation({
  name: "replace_media",
  summary: "Replace an image by another one everywhere, some posts per call.",
  permission: "media.replace",
  input: {
    mediaId,
    byMediaId: mediaId,
    /** First the posts whose working copy shows it, then those where only readers see it. */
    phase: z.enum(["posts", "live"]).default("posts"),
    ...cursorShape,
    /** Only in these, for undo. */
    only: z.object({ postIds: z.array(idOf<PostId>("post")).max(STEP), authorIds: z.array(idOf<TermId>("author")).max(1_000) }).optional(),
  },
  async run(context, input): Promise<ReplaceAnswer> {
    const from = await findMedia(context, input.mediaId);
    const to = requireReplacement(await findMedia(context, input.byMediaId));
    const names = { filename: from.filename, by: to.filename };
    if (from.id === to.id) return { ...names, posts: [], authors: [], skipped: [], next: null };
    const replaced: Replaced = { from: from.id, to: to.id };
    const page = input.only
      ? { posts: input.only.postIds.map((id) => ({ id, title: "" })), next: null }
      : await nextPosts(context, from.id, input.phase, input.cursor);
    const isFirst = input.phase === "posts" && input.cursor === undefined;
    const showing = isFirst ? await authorsWith(context, from.id) : [];
    const authors = input.only ? showing.filter(({ id }) => input.only!.authorIds.includes(id)) : showing;
    const answer = {
      ...names,
      posts: [] as ReplacedInPost[],
      authors: [] as typeof authors,
      skipped: [] as Skipped[],
    };
    for (const author of authors) {
      const done = await unlessRefused(author.id, author.name, () => replaceInAuthor(context, author.id, replaced));
      if ("refused" in done) answer.skipped.push(done.refused);
      else answer.authors = [...answer.authors, author];
    }
    for (const { id, title } of page.posts) {
      const done = await unlessRefused(id, title, () => replaceInPost(context, id, replaced));
      if ("refused" in done) answer.skipped.push(done.refused);
      else if (done.result) answer.posts.push(done.result);
    }
    return { ...answer, next: page.next };
  },
  // Each post is an operation, which says for itself what it changes.
  changes: "nothing",
  activity: (_, input, { filename, by: newName, posts, authors, skipped }) =>
    posts.length + authors.length + skipped.length === 0
      ? null
      : {
          target: { id: input.mediaId, label: filename },
          details: { by: newName, byId: input.byMediaId, posts: posts.length, authors: authors.length, skipped: skipped.length },
        },
});

interface Replaced {
  readonly from: MediaId;
  readonly to: MediaId;
}
type Skipped = ReplaceAnswer["skipped"][number];

/** By what no save changes, so that a post is neither passed over nor met twice. */
async function nextPosts(
  { content, website }: InWebsite,
  id: MediaId,
  phase: "posts" | "live",
  cursor: string | undefined,
): Promise<{ readonly posts: readonly { id: PostId; title: string }[]; readonly next: ReplaceAnswer["next"] }> {
  const query = { facets: [[id]], sort: SORT, after: cursor === undefined ? null : decodeCursor(cursor, SORT), limit: STEP } as const;
  const { rows, next } =
    phase === "posts"
      ? await content.posts.listHeads(website.id, { ...query, statuses: ["draft", "scheduled", "published", "unpublished"] })
      : await content.posts.listLive(website.id, query);
  const posts = rows.map((row) => ({ id: row.id, title: "content" in row ? row.content.title : row.title }));
  if (next) return { posts, next: { phase, cursor: encodeCursor(SORT, next) } };
  return { posts, next: phase === "posts" ? { phase: "live", cursor: null } : null };
}

async function replaceInPost({ services, content, website, actor }: InWebsite, id: PostId, { from, to }: Replaced) {
  for (let attempt = 1; ; attempt++) {
    const post = await content.posts.get(website.id, id);
    if (!post) return null;
    const input = { websiteId: website.id, postId: id, expectedVersion: post.version, mediaId: from, byMediaId: to };
    try {
      const saved = await execute(services, replaceMediaInPost, actor, input);
      if (saved.version === post.version) return null;
      const copies = post.status === "published" && post.live ? [post.working, post.live.content] : [post.working];
      const hadBoth = copies.some((content) => mediaIdsOf(content).includes(to));
      return { id, title: post.working.title, status: post.status, hadBoth };
    } catch (error) {
      if (!(error instanceof Failure && error.code === "VERSION_CONFLICT") || attempt === ATTEMPTS) throw error;
    }
  }
}

async function replaceInAuthor({ services, content, website, actor }: InWebsite, termId: TermId, { to }: Replaced): Promise<void> {
  const term = await content.terms.get(website.id, termId);
  if (!term) return;
  const input = { websiteId: website.id, termId, expectedVersion: term.version, profile: { avatarMediaId: to } };
  await execute(services, editTerm, actor, input);
}

/** One that cannot be changed must not keep the others from it. */
async function unlessRefused<T>(id: string, label: string, work: () => Promise<T>): Promise<{ result: T } | { refused: Skipped }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof Failure) || isOutage(error)) throw error;
    return { refused: { id, label, message: error.message } };
  }
}
