import { type Actor, userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { PostId, WebsiteId } from "#domain/ids";
import { slugsOf } from "#domain/post-life";
import { MINUTE, timestamp } from "#domain/time";
import { operations as posts } from "#operations/posts/index";
import type { TestServices } from "#test/services";
import { publishDue } from "#worker/scheduler";
import { type Command, SLUGS, TITLES } from "./commands.ts";
import { ACTORS } from "./model.ts";

/** One engine being driven: the same commands go to each, and what each answers is written down without its ids. */
export class Engine {
  readonly name: string;
  readonly #services: TestServices;
  #websiteId = "" as WebsiteId;
  #actors: readonly Actor[] = [];
  readonly ids: PostId[] = [];

  constructor(name: string, services: TestServices) {
    this.name = name;
    this.#services = services;
  }

  async begin(): Promise<void> {
    const tenant = await this.#services.makeTenant();
    this.#websiteId = tenant.website.id;
    this.#actors = [userActor(tenant.owner.id), ...(await Promise.all(ACTORS.slice(1).map((role) => tenant.addMember(role))))];
    this.ids.length = 0;
  }

  /** The answer: a code, or the parts of the post that do not depend on ids and clocks. */
  async run(command: Command): Promise<string> {
    if (command.do === "wait") {
      this.#services.pass(command.minutes * MINUTE);
      while ((await publishDue(this.#services)) > 0);
      return "waited";
    }
    // Time passes between any two calls, as it does.
    this.#services.pass(1_000);
    try {
      return await this.#call(command);
    } catch (error) {
      if (error instanceof Failure) return error.code;
      throw error;
    }
  }

  async #call(command: Exclude<Command, { do: "wait" }>): Promise<string> {
    const actor = this.#actors[command.who]!;
    const websiteId = this.#websiteId;
    if (command.do === "create") {
      const slug = command.slug === null ? {} : { slug: SLUGS[command.slug]! };
      return this.#born(await this.#services.call(posts.create_post, actor, { websiteId, title: TITLES[command.title]!, ...slug }));
    }
    const postId = this.ids[this.ids.length === 0 ? 0 : command.post % this.ids.length] ?? "post_01h455vb4pex5vsknk084sn02q";
    if (command.do === "duplicate") return this.#born(await this.#services.call(posts.duplicate_post, actor, { websiteId, postId }));
    const stored = await this.#stored(postId as PostId);
    const expectedVersion = Math.max(1, (stored?.version ?? 1) + (command.stale ? 1 : 0));
    const target = { websiteId, postId, expectedVersion };
    if (command.do === "edit") {
      const slug = command.slug === null ? {} : { slug: SLUGS[command.slug]! };
      const input = { ...target, body: `text ${command.text}`, autosave: command.autosave, ...slug };
      return shape(await this.#services.call(posts.edit_post, actor, input));
    }
    if (command.do === "schedule") {
      const at = timestamp(this.#services.now.getTime() + command.minutes * MINUTE);
      return shape(await this.#services.call(posts.schedule_post, actor, { ...target, at }));
    }
    if (command.do === "purge") {
      await this.#services.call(posts.purge_post, actor, target);
      return "purged";
    }
    const name = command.do === "update" ? "update_live_post" : (`${command.do}_post` as const);
    return shape(await this.#services.call(posts[name], actor, target));
  }

  #born(post: { id: PostId } & Parameters<typeof shape>[0]): string {
    this.ids.push(post.id);
    return shape(post);
  }

  #stored(id: PostId) {
    return this.#services.contentOf({ id: this.#websiteId }).posts.get(this.#websiteId, id);
  }

  /** Everything that can be read at the end, with ids replaced by when they were made. */
  async finalState() {
    const content = this.#services.contentOf({ id: this.#websiteId });
    const all = await Promise.all(this.ids.map((id) => this.#stored(id)));
    const events = await this.#services.platform.events.list(this.#websiteId, 0, 10_000);
    const histories = await Promise.all(this.ids.map((id) => content.revisions.list(this.#websiteId, id, { after: null, limit: 100 })));
    const slugs = all.flatMap((post) => (post ? [...slugsOf(post)] : []));
    const owners = await content.claims.owners(this.#websiteId, "post", slugs);
    return {
      posts: all.map((post) =>
        post ? { ...JSON.parse(shape(post)), body: post.working.body, live: post.live?.content.body ?? null, past: post.pastSlugs } : null,
      ),
      pending: all.filter((post) => post && (post.pendingRevision || post.pendingEvents.length > 0)).length,
      events: events.map(({ event }) => ({ post: this.ids.indexOf(event.postId), type: event.type, version: event.version })),
      history: histories.map((page) => page.rows.map((revision) => `${revision.version} ${revision.kind} ${revision.wasLive}`)),
      sharedSlugs: slugs.length - new Set(slugs).size,
      unclaimed: all.flatMap((post) => (post ? [...slugsOf(post)].filter((slug) => owners.get(slug) !== post.id) : [])),
    };
  }
}

interface Shaped {
  readonly status: string;
  readonly version: number;
  readonly hasUnpublishedChanges: boolean;
  readonly working: { readonly title: string; readonly slug: string };
}

function shape({ status, version, hasUnpublishedChanges, working }: Shaped): string {
  return JSON.stringify({ status, version, hasUnpublishedChanges, title: working.title, slug: working.slug });
}
