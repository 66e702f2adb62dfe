import { createHash } from "node:crypto";
import { POST_STATUSES, TERM_KINDS } from "@stet/contract";
import type { MediaId, TermId } from "#domain/ids";
import { toPortable } from "#domain/media-address";
import type { Media } from "#domain/media";
import { mediaIdsOf } from "#domain/media-ids";
import type { Post, Revision } from "#domain/post";
import type { Term } from "#domain/term";
import type { InWebsite } from "../../kernel/operation.ts";
import { pages } from "../../kernel/pages.ts";
import { originalOf } from "../../media/helpers/original-of.ts";
import { canonicalJson } from "#domain/canonical-json";
import {
  type ContentRecord,
  type EndRecord,
  FILE_PART_BYTES,
  FORMAT,
  type ManifestRecord,
  mediaRecord,
  noCounts,
  postRecord,
  revisionRecord,
  termRecord,
} from "./records.ts";

const PAGE = 100;
/** Posts read at once, and so the most that are in memory. */
const AT_ONCE = 6;

/**
 * The whole website as lines of text, each with its line break. It is read page by page as fast as it is taken. People go
 * on working meanwhile: each line is one record as it was at some moment, and no post that exists throughout is missed.
 */
export async function* writeExport(context: InWebsite): AsyncGenerator<string> {
  const { website, services, now } = context;
  const hash = createHash("sha256");
  const counts = noCounts();
  const line = (record: ManifestRecord | ContentRecord | EndRecord): string => {
    const text = `${toPortable(canonicalJson(record), website.id)}\n`;
    hash.update(text);
    return text;
  };
  // A store that is away is found out before the first line: then there is no file, instead of one that breaks off.
  await context.content.terms.list(website.id, { kind: TERM_KINDS[0], after: null, limit: 1 });
  yield line({
    type: "manifest",
    format: FORMAT,
    exportedAt: now,
    website: { name: website.name, settings: website.settings, fieldDefinitions: website.fieldDefinitions },
    mediaBase: `${services.settings.publicUrl}/media/${website.id}`,
  });
  for await (const record of contentOf(context)) {
    counts[record.type] += 1;
    yield line(record);
  }
  yield line({ type: "end", counts, sha256: hash.copy().digest("hex") });
}

async function* contentOf(context: InWebsite): AsyncGenerator<ContentRecord> {
  // Ids of terms and images, so that one renamed or moved meanwhile is neither written twice nor missed by a post that shows it.
  const written = new Set<string>();
  for (const kind of TERM_KINDS) {
    for await (const term of pages((after) => context.content.terms.list(context.website.id, { kind, after, limit: PAGE }))) {
      yield* termWithMerged(context, term, written);
    }
  }
  for (const trashed of [false, true]) {
    for await (const media of pages((after) => context.content.media.list(context.website.id, { trashed, after, limit: PAGE }))) {
      yield* mediaWithFile(context, media, written);
    }
  }
  const heads = pages((after) =>
    context.content.posts.listHeads(context.website.id, { statuses: POST_STATUSES, sort: "createdAt", after, limit: PAGE }),
  );
  for await (const group of grouped(heads, AT_ONCE)) {
    const posts = await Promise.all(group.map(({ id }) => context.content.posts.get(context.website.id, id)));
    for (const post of posts) if (post) yield* postWithRevisions(context, post, written);
  }
}

/** Targets before what was merged into them, as an import needs them. */
async function* termWithMerged({ content, website }: InWebsite, term: Term, written: Set<string>): AsyncGenerator<ContentRecord> {
  if (!written.has(term.id)) yield termRecord(term);
  written.add(term.id);
  const mergedIds = (await content.terms.listMergedInto(website.id, term.id)).filter((id) => !written.has(id));
  for (const merged of await content.terms.getMany(website.id, mergedIds)) {
    yield termRecord(merged);
    written.add(merged.id);
  }
}

async function* mediaWithFile({ services }: InWebsite, media: Media, written: Set<string>): AsyncGenerator<ContentRecord> {
  if (written.has(media.id)) return;
  written.add(media.id);
  yield mediaRecord(media);
  const bytes = await (await originalOf(services, media)).read();
  if (!bytes) return;
  const parts = Math.max(1, Math.ceil(bytes.byteLength / FILE_PART_BYTES));
  for (let part = 0; part < parts; part++) {
    const data = Buffer.from(bytes.subarray(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES)).toString("base64");
    yield { type: "file", mediaId: media.id, part, parts, data };
  }
}

async function* postWithRevisions(context: InWebsite, post: Post, written: Set<string>): AsyncGenerator<ContentRecord> {
  yield* newlyShown(context, post, written);
  yield postRecord(post);
  for await (const revision of revisionsOf(context, post)) yield revisionRecord(revision);
}

/** Terms and images of the post that the lists above did not have yet: created, or renamed past them, while they were read. */
async function* newlyShown(context: InWebsite, post: Post, written: Set<string>): AsyncGenerator<ContentRecord> {
  const { content, website } = context;
  const copies = post.live ? [post.working, post.live.content] : [post.working];
  const unseen = (ids: readonly string[]) => [...new Set(ids)].filter((id) => !written.has(id));
  const termIds = unseen(copies.flatMap((copy) => [...copy.categoryIds, ...copy.tagIds, ...copy.authorIds])) as TermId[];
  if (termIds.length > 0) {
    for (const term of await content.terms.getMany(website.id, termIds)) {
      const target = term.mergedInto && (await content.terms.get(website.id, term.mergedInto));
      yield* termWithMerged(context, target ?? term, written);
    }
    // Also those that are gone, so that they are not looked for again with every post.
    for (const id of termIds) written.add(id);
  }
  const mediaIds = unseen(copies.flatMap(mediaIdsOf)) as MediaId[];
  if (mediaIds.length > 0) {
    for (const media of await content.media.getMany(website.id, mediaIds)) yield* mediaWithFile(context, media, written);
    for (const id of mediaIds) written.add(id);
  }
}

async function* revisionsOf({ content, website }: InWebsite, post: Post): AsyncGenerator<Revision> {
  const pending = post.pendingRevision;
  // Not settled yet: it lies in the post itself.
  if (pending) yield { ...pending, websiteId: website.id, postId: post.id, content: post.working };
  for await (const head of pages((after) => content.revisions.list(website.id, post.id, { after, limit: PAGE }))) {
    // Null when it was thinned away a moment ago; the post of a later version is not this export's.
    const revision = head.id === pending?.id ? null : await content.revisions.get(website.id, post.id, head.id);
    if (revision) yield revision;
  }
}

async function* grouped<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
