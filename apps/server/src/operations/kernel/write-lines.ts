import { LRUCache } from "lru-cache";
import { type Actor, refOf } from "#domain/actor";
import { createLine, type Line } from "#domain/line";
import { type BodyLine, createBodyLine } from "./body-line.ts";
import type { OnPost } from "./operation.ts";
import { LARGE_WRITES, sizeOf } from "./require-disk-space.ts";

/** The lines in which writes wait, each by the one whose flood it would be. Each process has its own. */
export interface WriteLines {
  /** Large bodies of requests, by person. */
  readonly bodies: BodyLine;
  /** Changes of posts, by website: a post is not read before it is its turn. */
  readonly posts: Line;
  /** Changes of posts that are large, or become so, by workspace. */
  readonly large: Line;
  /** Both for posts in customers' databases: one that is slow keeps those waiting whose content lies in such a database too, and nobody else. */
  readonly own: { readonly posts: Line; readonly large: Line };
  /** Who met which large post lately, and its workspace: while that line is full, such a post is not even loaded for them. */
  readonly metLarge: LRUCache<string, string>;
}

/**
 * The numbers bound memory: a body of 1 MiB is some ten times that while it is parsed, rendered and stored. Fewer large posts than posts
 * can be at work or wait, so that small ones find a place beside them.
 */
export const createWriteLines = (): WriteLines => ({
  bodies: createBodyLine({ atWork: 4, atWorkInAll: 12, waiting: 32, waitingInAll: 256 }, "large requests"),
  ...postLines(),
  own: postLines(),
  metLarge: new LRUCache({ max: 10_000 }),
});

const postLines = (): Pick<WriteLines, "posts" | "large"> => ({
  posts: createLine({ atWork: 16, atWorkInAll: 64, waiting: 64, waitingInAll: 1_024 }, "saves"),
  large: createLine({ atWork: 2, atWorkInAll: 4, waiting: 6, waitingInAll: 24 }, "changes of large posts"),
});

const meeting = (actor: Actor, postId: string): string => `${refOf(actor).id} ${postId}`;

/** Does work that changes a post when it is its turn. It is given the way into the other line, for when it finds a customer's database. */
export async function inPostLine<T>(
  lines: WriteLines,
  actor: Actor,
  { websiteId, postId }: { readonly websiteId: string; readonly postId: string },
  work: (changeLine: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const workspaceId = lines.metLarge.get(meeting(actor, postId));
  if (workspaceId !== undefined) lines.large.requireRoom(workspaceId);
  let leave = await lines.posts(websiteId);
  const changeLine = async (): Promise<void> => {
    leave();
    leave = await lines.own.posts(websiteId);
  };
  try {
    return await work(changeLine);
  } finally {
    leave();
  }
}

/** The same once the post is known, where it or what is written into it is large. */
export async function inLargeLine<T>(
  lines: WriteLines,
  { actor, workspace, website, stored: post }: OnPost,
  input: unknown,
  work: () => Promise<T>,
): Promise<T> {
  if (post.working.body.length <= LARGE_WRITES && sizeOf(input) <= LARGE_WRITES) return work();
  const isOurs = website.home.kind !== "own";
  if (isOurs) lines.metLarge.set(meeting(actor, post.id), workspace.id);
  const leave = await (isOurs ? lines : lines.own).large(workspace.id);
  try {
    return await work();
  } finally {
    leave();
  }
}
