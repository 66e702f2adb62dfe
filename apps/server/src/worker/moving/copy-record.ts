import type { MediaId, PostId, RevisionId, TermId, WebsiteId } from "#domain/ids";
import type { Change } from "#ports/change-feed";
import type { ContentStore } from "#ports/content-store";
import type { SaveResult } from "#ports/save-result";
import { claimPostSlugs, claimTermSlugs } from "./derive-claims.ts";

/**
 * Brings what the change feed names to another store as it is now: written unless the other store has it newer, or removed. Called again,
 * or in another order, it ends the same. Slug claims follow from posts and terms.
 */
export async function copyRecord(from: ContentStore, to: ContentStore, websiteId: WebsiteId, change: Change): Promise<void> {
  // Whoever reads may find it gone by now; then a later change says so as well.
  const result = await kinds[change.kind](from, to, websiteId, change);
  if (result === "gone") await removeRecord(to, websiteId, change);
}

export async function removeRecord(to: ContentStore, websiteId: WebsiteId, change: Change): Promise<void> {
  await removals[change.kind](to, websiteId, change);
}

type Copy = (from: ContentStore, to: ContentStore, websiteId: WebsiteId, change: Change) => Promise<SaveResult | "gone">;
type Remove = (to: ContentStore, websiteId: WebsiteId, change: Change) => Promise<unknown>;

const kinds: Readonly<Record<Change["kind"], Copy>> = {
  async post(from, to, websiteId, { id }) {
    const post = await from.posts.get(websiteId, id as PostId);
    if (!post) return "gone";
    const result = await to.posts.putIfNewer(post);
    if (result === "saved") await claimPostSlugs(to, post);
    return result;
  },
  async term(from, to, websiteId, { id }) {
    const term = await from.terms.get(websiteId, id as TermId);
    if (!term) return "gone";
    const result = await to.terms.putIfNewer(term);
    if (result === "saved") await claimTermSlugs(to, term);
    return result;
  },
  async media(from, to, websiteId, { id }) {
    const media = await from.media.get(websiteId, id as MediaId);
    return media ? to.media.putIfNewer(media) : "gone";
  },
  async revision(from, to, websiteId, { id, postId }) {
    const revision = await from.revisions.get(websiteId, postId!, id as RevisionId);
    return revision ? to.revisions.putIfNewer(revision) : "gone";
  },
  async beside(from, to, websiteId, { id }) {
    const record = await from.beside.get(websiteId, id);
    return record ? to.beside.putIfNewer(record) : "gone";
  },
};

/** With the version that the other store has, which may be an older one. The claims of what is gone are freed by the sweep. */
const removals: Readonly<Record<Change["kind"], Remove>> = {
  async post({ posts }, websiteId, { id }) {
    const post = await posts.get(websiteId, id as PostId);
    return post && posts.purge(websiteId, post.id, post.version);
  },
  async term({ terms }, websiteId, { id }) {
    const term = await terms.get(websiteId, id as TermId);
    return term && terms.delete(websiteId, term.id, term.version);
  },
  async media({ media }, websiteId, { id }) {
    const found = await media.get(websiteId, id as MediaId);
    return found && media.delete(websiteId, found.id, found.version);
  },
  revision: ({ revisions }, websiteId, { id, postId }) => revisions.delete(websiteId, postId!, [id as RevisionId]),
  beside: ({ beside }, websiteId, { id }) => beside.delete(websiteId, [id]),
};
