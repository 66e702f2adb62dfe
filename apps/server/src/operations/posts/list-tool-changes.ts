import { isDeepStrictEqual } from "node:util";
import type { ActorRef } from "#domain/actor";
import type { RevisionId } from "#domain/ids";
import type { RevisionHead } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { After } from "#ports/list-page";
import { type OnPost, postOperation } from "../kernel/operation.ts";

const PAGE = 100;
/** Old revisions are thinned to one an hour, so that more than this is nobody's history between two publications. */
const MOST_PAGES = 10;

/** The changes of one connected app. */
export interface ToolChanges {
  readonly by: ActorRef;
  readonly changes: number;
  readonly lastAt: Timestamp;
  /** Its last revision, and the one before that; null: the app began the post. */
  readonly revisionId: RevisionId;
  readonly previousRevisionId: RevisionId | null;
}

export interface ToolChangesList {
  /** The last revision that was live; null: there is none. */
  readonly liveRevisionId: RevisionId | null;
  /** Latest first. */
  readonly tools: readonly ToolChanges[];
}

export const listToolChanges = postOperation({
  name: "list_tool_changes",
  summary: "List the connected apps that changed a post since it was last published, or since it was created.",
  permission: "post.read",
  input: {},
  async run(context): Promise<ToolChangesList> {
    const { since, liveRevisionId } = await readSinceLive(context);
    const tools = new Map<string, ToolChanges>();
    for (const [index, { id, author, at }] of since.entries()) {
      if (author.type !== "tool") continue;
      const known = tools.get(author.id);
      const previousRevisionId = since[index + 1]?.id ?? liveRevisionId;
      const last = known ?? { by: author, changes: 0, lastAt: at, revisionId: id, previousRevisionId };
      tools.set(author.id, { ...last, changes: last.changes + 1 });
    }
    return { liveRevisionId, tools: [...tools.values()] };
  },
  activity: "none",
});

/** The revisions after the last one that was live, newest first. */
async function readSinceLive(context: OnPost): Promise<{ since: readonly RevisionHead[]; liveRevisionId: RevisionId | null }> {
  const { content, post } = context;
  const since: RevisionHead[] = [];
  let isTakenBack = false;
  let after: After | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { rows, next }: { rows: readonly RevisionHead[]; next: After | null } = await content.revisions.list(post.websiteId, post.id, {
      after,
      limit: PAGE,
    });
    for (const head of rows) {
      if (head.wasLive) return { since, liveRevisionId: head.id };
      // The live text was restored here, so that nothing of what was written before it is left.
      isTakenBack ||= head.kind === "restore" && (await isLiveText(context, head));
      if (!isTakenBack) since.push(head);
    }
    if (!next) break;
    after = next;
  }
  return { since, liveRevisionId: null };
}

async function isLiveText({ content, post }: OnPost, { id }: RevisionHead): Promise<boolean> {
  const revision = post.live && (await content.revisions.get(post.websiteId, post.id, id));
  return revision !== null && isDeepStrictEqual(revision.content, post.live?.content);
}
