import type { PostStatus } from "@stet/contract";
import type { Command, Move } from "./commands.ts";

/** What the rules say must be true of a post, in a few lines and without any store. Slugs are left to the stores. */
export interface ModelPost {
  readonly owner: number;
  status: PostStatus | "purged";
  version: number;
  title: string;
  body: string;
  liveBody: string | null;
  liveTitle: string | null;
  /** Which slug it got is the stores' answer; what follows from it is not. */
  slug: string;
  liveSlug: string | null;
  due: number | null;
}

export interface ModelEvent {
  readonly post: number;
  readonly type: string;
  readonly version: number;
}

type Table = Record<PostStatus, Partial<Record<Move | "schedule", [PostStatus | "purged", string | null]>>>;
const TABLE: Table = {
  draft: { publish: ["published", "post.published"], schedule: ["scheduled", null], delete: ["deleted", "post.deleted"] },
  scheduled: {
    publish: ["published", "post.published"],
    schedule: ["scheduled", null],
    unpublish: ["draft", null],
    delete: ["deleted", "post.deleted"],
  },
  published: { unpublish: ["unpublished", "post.unpublished"], update: ["published", "post.updated"], delete: ["deleted", "post.deleted"] },
  unpublished: { publish: ["published", "post.published"], schedule: ["scheduled", null], delete: ["deleted", "post.deleted"] },
  deleted: { restore: ["draft", null], purge: ["purged", null] },
};

/** The actors: an owner, an editor, an author, a contributor. */
export const ACTORS = ["owner", "editor", "author", "contributor"] as const;

export class Model {
  readonly posts: ModelPost[] = [];
  readonly events: ModelEvent[] = [];
  minute = 0;

  target(command: { post: number }): number {
    return this.posts.length === 0 ? -1 : command.post % this.posts.length;
  }

  created(owner: number, title: string, slug: string, body = ""): void {
    this.posts.push({ owner, status: "draft", version: 1, title, body, slug, liveBody: null, liveTitle: null, liveSlug: null, due: null });
  }

  /** The error code the rules demand before any slug is looked at; null when the call must get past them. */
  refusal(command: Exclude<Command, { do: "create" | "wait" }>): string | null {
    const post = this.posts[this.target(command)];
    const actor = ACTORS[command.who]!;
    // What a role can never do is refused before anything is looked for.
    const needsRole = command.do !== "edit" && command.do !== "duplicate";
    if (needsRole && actor === "contributor") return "INSUFFICIENT_ROLE";
    if (!post || post.status === "purged") return "NOT_FOUND";
    const own = post.owner === command.who;
    if (actor === "contributor" && !own && post.status !== "published") return "NOT_FOUND";
    if (command.do === "duplicate") return null;
    if ((actor === "author" || actor === "contributor") && !own) return "INSUFFICIENT_ROLE";
    if (command.stale) return "VERSION_CONFLICT";
    if (command.do === "edit") return post.status === "deleted" ? "INVALID_TRANSITION" : null;
    if (!TABLE[post.status][command.do]) return "INVALID_TRANSITION";
    const goesLive = command.do === "publish" || command.do === "schedule" || (command.do === "update" && changed(post));
    return goesLive && post.title === "" ? "VALIDATION_FAILED" : null;
  }

  /** A contributor sees of other people's posts what readers see. */
  seen(index: number, who: number): { title: string; body: string } {
    const { owner, title, body, liveTitle, liveBody } = this.posts[index]!;
    return ACTORS[who] === "contributor" && owner !== who ? { title: liveTitle!, body: liveBody! } : { title, body };
  }

  edited(index: number, body: string, slug: string): void {
    const post = this.posts[index]!;
    post.body = body;
    post.slug = slug;
    post.version += 1;
  }

  moved(index: number, move: Move | "schedule", due: number | null = null): void {
    const post = this.posts[index]!;
    const [status, event] = TABLE[post.status as PostStatus][move]!;
    if (move === "update" && !changed(post)) return;
    post.version += move === "purge" ? 0 : 1;
    post.status = status;
    post.due = due;
    if (move === "publish" || move === "update") {
      post.liveBody = post.body;
      post.liveTitle = post.title;
      post.liveSlug = post.slug;
    }
    if (event) this.events.push({ post: index, type: event, version: post.version });
  }

  /** Everything due is published by the scheduler, earliest first. */
  waited(minutes: number): void {
    this.minute += minutes;
    const due = this.posts
      .map((post, index) => ({ post, index }))
      .filter(({ post }) => post.status === "scheduled" && post.due! <= this.minute);
    for (const { index } of due.toSorted((left, right) => left.post.due! - right.post.due! || left.index - right.index))
      this.moved(index, "publish");
  }
}

export const changed = (post: ModelPost): boolean =>
  post.body !== post.liveBody || post.title !== post.liveTitle || post.slug !== post.liveSlug;
