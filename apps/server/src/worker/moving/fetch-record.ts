import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { idFromBytes, type MediaId, type PostId, type RevisionId, type TermId, type WebsiteId } from "#domain/ids";
import type { Post, PostContent, Revision } from "#domain/post";
import { slugCandidates } from "#domain/slug";
import type { Term } from "#domain/term";
import { millis, type Timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import type { Change } from "#ports/change-feed";
import type { ContentStore } from "#ports/content-store";
import type { SlugSpace } from "#ports/slug-claims";

/** Brings records from a database that was left to the website as it went on here. */
export interface Fetching {
  readonly services: Services;
  readonly websiteId: WebsiteId;
  /** Only read. */
  readonly theirs: ContentStore;
  readonly ours: ContentStore;
  readonly now: Timestamp;
}

/** True: it was not here, and is now. What is here stays as it is. Done twice, it ends the same. */
type Fetch = (fetching: Fetching, change: Change) => Promise<boolean>;

export const fetchTerm: Fetch = async ({ websiteId, theirs, ours, now }, { id }) => {
  const term = await theirs.terms.get(websiteId, id as TermId);
  if (!term || (await ours.terms.get(websiteId, term.id))) return false;
  const target = term.mergedInto && (await ours.terms.get(websiteId, term.mergedInto));
  const slug = await freeSlug(ours, term, term.kind, term.slug, now);
  const brought: Term = {
    ...term,
    slug,
    pastSlugs: await stillFree(ours, term, term.kind, term.pastSlugs, now),
    mergedInto: target && target.mergedInto === null ? target.id : null,
  };
  return (await ours.terms.insert(brought)) === "saved";
};

/** Images never lay there, only what is known of them: one whose file is gone stays away. */
export const fetchImage: Fetch = async ({ services, websiteId, theirs, ours }, { id }) => {
  const [image, file] = await Promise.all([
    theirs.media.get(websiteId, id as MediaId),
    services.platform.mediaFiles.get(websiteId, id as MediaId),
  ]);
  if (!image || image.deletedAt !== null || file?.state !== "kept" || (await ours.media.get(websiteId, image.id))) return false;
  return (await ours.media.insert({ ...image, bytes: file.bytes, contentType: file.contentType })) === "saved";
};

/** One that is not here comes back as a draft, or unpublished if readers had seen it: a person decides what they see again. */
export const fetchPost: Fetch = async ({ websiteId, theirs, ours, now }, { id }) => {
  const post = await theirs.posts.get(websiteId, id as PostId);
  if (!post || post.status === "deleted" || (await ours.posts.get(websiteId, post.id))) return false;
  const slug = await freeSlug(ours, post, "post", post.working.slug, now);
  const shown = post.live && (await stillFree(ours, post, "post", [post.live.content.slug], now));
  const brought: Post = {
    ...post,
    status: post.live ? "unpublished" : "draft",
    working: { ...post.working, slug },
    live: post.live && { ...post.live, content: { ...post.live.content, slug: shown?.[0] ?? slug } },
    pastSlugs: await stillFree(ours, post, "post", post.pastSlugs, now),
    hasUnpublishedChanges: false,
    scheduledAt: null,
    review: null,
    pendingEvents: [],
    pendingRevision: null,
  };
  return (await ours.posts.insert(brought, { visible: false })) === "saved";
};

/** What was written there becomes a version in the history of a post that is here, which itself stays as it is. */
export const fetchRevision: Fetch = async ({ websiteId, theirs, ours }, { id, postId }) => {
  const revision = await theirs.revisions.get(websiteId, postId!, id as RevisionId);
  return revision !== null && (await ours.posts.get(websiteId, revision.postId)) !== null && fileRevision(ours, revision);
};

/** The newest text of a post, where no revision there has it: a save that was cut off, or somebody who changed the document by hand. */
export const fetchWorkingCopy: Fetch = async ({ websiteId, theirs, ours }, { id }) => {
  const post = await theirs.posts.get(websiteId, id as PostId);
  const here = post && (await ours.posts.get(websiteId, post.id));
  if (!here || isSameText(here.working, post.working)) return false;
  const head = await theirs.revisions.latest(websiteId, post.id);
  const latest = head && (await theirs.revisions.get(websiteId, post.id, head.id));
  if (latest && isSameText(latest.content, post.working)) return false;
  const { version, editedBy: author, editedAt: at } = post;
  const named = post.pendingRevision ?? {
    id: derivedId(`${post.id} ${version}`, at),
    kind: "save",
    version,
    author,
    startedAt: at,
    at,
    wasLive: false,
  };
  return fileRevision(ours, { ...named, websiteId, postId: post.id, content: post.working });
};

/** Under its own id, or, where a revision of this id went another way here, under one that follows from it. */
async function fileRevision(ours: ContentStore, revision: Revision): Promise<boolean> {
  const { websiteId, postId } = revision;
  const here = await ours.revisions.get(websiteId, postId, revision.id);
  if (here && isSameText(here.content, revision.content)) return false;
  const id = here ? derivedId(`${revision.id} ${revision.version}`, revision.at) : revision.id;
  if (here && (await ours.revisions.get(websiteId, postId, id))) return false;
  await ours.revisions.put({ ...revision, id });
  return true;
}

const isSameText = (left: PostContent, right: PostContent): boolean => isDeepStrictEqual(left, right);

const derivedId = (seed: string, at: Timestamp): RevisionId =>
  idFromBytes("revision", createHash("sha256").update(`fetched ${seed}`).digest(), millis(at));

interface Owner {
  readonly websiteId: WebsiteId;
  readonly id: string;
}

async function freeSlug({ claims }: ContentStore, owner: Owner, space: SlugSpace, wanted: string, claimedAt: Timestamp): Promise<string> {
  for (const slug of slugCandidates(wanted)) {
    const { ownerId } = await claims.claim(owner.websiteId, space, { slug, ownerId: owner.id, claimedAt });
    if (ownerId === owner.id) return slug;
  }
  throw new Error(`No slug like "${wanted}" is free.`);
}

/** Those of these slugs that nobody else has here by now. */
async function stillFree(
  { claims }: ContentStore,
  owner: Owner,
  space: SlugSpace,
  slugs: readonly string[],
  claimedAt: Timestamp,
): Promise<readonly string[]> {
  const free: string[] = [];
  for (const slug of slugs) {
    const { ownerId } = await claims.claim(owner.websiteId, space, { slug, ownerId: owner.id, claimedAt });
    if (ownerId === owner.id) free.push(slug);
  }
  return free;
}
