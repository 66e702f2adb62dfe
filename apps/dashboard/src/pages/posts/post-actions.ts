import type { ListedPost } from "../../api/answers.ts";
import type { Permission } from "../../api/registry.ts";
import { rpc } from "../../api/rpc.ts";
import { plural } from "../../lib/format.ts";

/** Something that is done to one post or to many at once. */
export interface PostAction {
  /** For menus and buttons. */
  readonly label: string;
  /** While it goes on: "Publishing". */
  readonly doing: string;
  /** When it is done: "Published 2 posts". */
  readonly done: (count: number) => string;
  readonly permission: Permission;
  readonly appliesTo: (post: ListedPost) => boolean;
  /** The state of the posts that are skipped: "3 already published". */
  readonly leaves: string;
  /** Null: the post is gone. */
  readonly run: (post: ListedPost) => Promise<ListedPost | null>;
  /** Brings one post back to where it was before. Throws with a sentence where that is not possible. */
  readonly undo?: (before: ListedPost, after: ListedPost) => Promise<unknown>;
}

const at = (post: ListedPost) => ({ websiteId: post.websiteId, postId: post.id, expectedVersion: post.version });

/** Publishing would bring changes live that readers have never seen. */
function requireSeen(post: ListedPost): void {
  if (!post.hasUnpublishedChanges) return;
  throw new Error("It had unpublished changes, so it was not published again. Review it, then publish it.");
}

function isAhead(post: ListedPost): post is ListedPost & { scheduledAt: string } {
  return post.scheduledAt !== null && Date.parse(post.scheduledAt) > Date.now();
}

/** From the drafts, or from what is unpublished, to the state it had. */
async function putBack(before: ListedPost, now: ListedPost): Promise<void> {
  if (before.status === "published") {
    requireSeen(before);
    await rpc("publish_post", at(now));
  } else if (before.status === "scheduled") {
    if (!isAhead(before)) throw new Error("The time it was scheduled for has passed. Choose another one.");
    await rpc("schedule_post", { ...at(now), at: before.scheduledAt });
  }
}

export const POST_ACTIONS = {
  publish: {
    label: "Publish",
    doing: "Publishing",
    done: (count) => `Published ${plural(count, "post")}.`,
    permission: "post.publish",
    appliesTo: ({ status }) => status === "draft" || status === "scheduled" || status === "unpublished",
    leaves: "already published",
    run: (post) => rpc("publish_post", at(post)),
    undo: async (before, after) => {
      const unpublished = await rpc("unpublish_post", at(after));
      if (before.status === "scheduled") await putBack(before, unpublished);
    },
  },
  update: {
    label: "Publish changes",
    doing: "Publishing changes",
    done: (count) => `Published changes to ${plural(count, "post")}.`,
    permission: "post.publish",
    appliesTo: ({ status, hasUnpublishedChanges }) => status === "published" && hasUnpublishedChanges,
    leaves: "without unpublished changes",
    run: (post) => rpc("update_live_post", at(post)),
  },
  unpublish: {
    label: "Unpublish",
    doing: "Unpublishing",
    done: (count) => `Unpublished ${plural(count, "post")}.`,
    permission: "post.publish",
    appliesTo: ({ status }) => status === "published" || status === "scheduled",
    leaves: "not published",
    run: (post) => rpc("unpublish_post", at(post)),
    undo: (before, after) => putBack(before, after),
  },
  trash: {
    label: "Move to trash",
    doing: "Moving to trash",
    done: (count) => `Moved ${plural(count, "post")} to the trash.`,
    permission: "post.delete",
    appliesTo: ({ status }) => status !== "deleted",
    leaves: "already in the trash",
    run: (post) => rpc("delete_post", at(post)),
    undo: async (before, after) => putBack(before, await rpc("restore_post", at(after))),
  },
  restore: {
    label: "Restore",
    doing: "Restoring",
    done: (count) => `Restored ${plural(count, "post")} as ${count === 1 ? "a draft" : "drafts"}.`,
    permission: "post.restore",
    appliesTo: ({ status }) => status === "deleted",
    leaves: "not in the trash",
    run: (post) => rpc("restore_post", at(post)),
    undo: (_, after) => rpc("delete_post", at(after)),
  },
  purge: {
    label: "Delete permanently",
    doing: "Deleting",
    done: (count) => `Permanently deleted ${plural(count, "post")}.`,
    permission: "post.purge",
    appliesTo: ({ status }) => status === "deleted",
    leaves: "not in the trash",
    run: async (post) => {
      await rpc("purge_post", at(post));
      return null;
    },
  },
} as const satisfies Record<string, PostAction>;

export type PostActionName = keyof typeof POST_ACTIONS;

const FIELD = { category: "categoryIds", tag: "tagIds" } as const;

/** Adds a category or a tag to the working copies; readers see it once a post's changes are published. */
export const addTerm = (kind: "category" | "tag", term: { id: string; name: string }): PostAction => ({
  label: `Add ${kind}`,
  doing: `Adding “${term.name}”`,
  done: (count) => `Added “${term.name}” to ${plural(count, "post")}.`,
  permission: "post.write",
  appliesTo: (post) => post.status !== "deleted" && !post.working[FIELD[kind]].includes(term.id),
  leaves: "already have it",
  run: (post) => rpc("edit_post", { ...at(post), [FIELD[kind]]: [...post.working[FIELD[kind]], term.id] }),
  undo: (before, after) => rpc("edit_post", { ...at(after), [FIELD[kind]]: before.working[FIELD[kind]] }),
});
