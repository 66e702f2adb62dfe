import type { LRUCache } from "lru-cache";
import { fail, Failure, invalid } from "#domain/failure";
import type { Actor } from "#domain/actor";
import type { Connection } from "#domain/connection";
import { isId, type WebsiteId, type WorkspaceId } from "#domain/ids";
import { isSlug } from "#domain/slug";
import type { Operation, Scope } from "#operations/kernel/operation";
import type { TransportServices } from "#operations/kernel/transport-services";
import { getMedia } from "#operations/media/get-media";
import { findPost } from "#operations/posts/find-post";
import { getPost } from "#operations/posts/get-post";
import { getTerm } from "#operations/terms/get-term";
import { getWebsite } from "#operations/websites/get-website";
import { type ReachableWebsite, reachableWebsites, websiteNamed } from "./websites.ts";

/** The caller of this request: the connection as it is now, and its actor. */
export interface Caller {
  readonly services: TransportServices;
  readonly connection: Connection;
  readonly actor: Actor;
  readonly requestId: string;
  /** Which workspace each website belongs to, of those that were reached before. It never changes; who may enter does. */
  readonly workspaceOfWebsite: LRUCache<WebsiteId, WorkspaceId>;
  /** How many more posts this connection may make public within the hour. */
  publishesLeft(): Promise<number>;
}

/** One call of a tool on its way: runs operations as the caller, and remembers for the log where it went and to what. */
export class ToolRun {
  readonly caller: Caller;
  scope: { readonly websiteId: WebsiteId; readonly workspaceId: WorkspaceId } | null = null;
  target: { readonly id: string; readonly label: string } | null = null;
  /** Versions of the target; null while nothing was changed. */
  versions: { readonly before: number | null; readonly after: number } | null = null;
  /** What was asked for waits for a person as a suggestion. */
  isHeld = false;
  #isAssumed = false;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** The same door that the dashboard uses: input, website, policy, run, activity. */
  async run<S extends Scope, Input, Output>(operation: Operation<S, Input, Output>, input: object): Promise<Output> {
    const output = await this.caller.services.execute(operation, this.caller.actor, input);
    if (operation.activity !== "none") this.isHeld ||= Boolean((output as { suggestion?: object }).suggestion);
    return output;
  }

  /** Which website is meant: by id, by name, or the only one that this connection reaches. */
  async website(given: string | undefined): Promise<WebsiteId> {
    const { services, actor, workspaceOfWebsite } = this.caller;
    const known = given !== undefined && isId("website", given) ? workspaceOfWebsite.get(given) : undefined;
    if (known !== undefined) {
      // Whether it may be entered, the operation decides, as always; here it is only named.
      this.scope = { websiteId: given as WebsiteId, workspaceId: known };
      this.#isAssumed = true;
      return this.scope.websiteId;
    }
    const found =
      given !== undefined && isId("website", given)
        ? await this.#entered(given)
        : websiteNamed(await reachableWebsites(services, actor), given);
    this.scope = { websiteId: found.id, workspaceId: found.workspaceId };
    workspaceOfWebsite.set(found.id, found.workspaceId);
    return found.id;
  }

  /** Which post is meant: by id, by the slug it has or had, or by an address that ends with either. The call is about it from here on. */
  async post(websiteId: WebsiteId, given: string): Promise<string> {
    const [path = ""] = given.split(/[?#]/, 1);
    const name = path.split("/").findLast((part) => part !== "") ?? "";
    if (!isId("post", name) && !isSlug(name)) {
      throw invalid([{ field: "post", message: "must be the id or the slug of a post; find it with list_posts or search_posts" }]);
    }
    const id = isSlug(name) ? (await this.run(findPost, { websiteId, slug: name })).id : name;
    this.target = { id, label: "" };
    return id;
  }

  /** A call that was refused may never have come in: then it is none of the workspace's business, and not for its log. */
  async confirmScope(): Promise<void> {
    if (!this.#isAssumed || !this.scope) return;
    await this.#entered(this.scope.websiteId).catch(() => (this.scope = null));
  }

  /** So that a person who reads the log knows what it was about, also where nothing came of it: its name, if the caller may read it. */
  async nameTarget(): Promise<void> {
    const { scope, target } = this;
    if (!scope || !target || target.label !== "") return;
    this.target = { ...target, label: await this.#nameOf(scope.websiteId, target.id).catch(() => "") };
  }

  async #nameOf(websiteId: WebsiteId, id: string): Promise<string> {
    if (isId("post", id)) return (await this.run(getPost, { websiteId, postId: id })).working.title;
    if (isId("media", id)) return (await this.run(getMedia, { websiteId, mediaId: id })).filename;
    return (await this.run(getTerm, { websiteId, termId: id })).name;
  }

  async #entered(id: WebsiteId): Promise<Pick<ReachableWebsite, "id" | "workspaceId">> {
    try {
      return await this.run(getWebsite, { websiteId: id });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "NOT_FOUND") throw error;
      throw fail("NOT_FOUND", `This app has no access to a website with the id ${id}. Call get_context to see its websites.`);
    }
  }

  /** Says what the call was done to, and between which versions. */
  changed(target: { id: string; label: string }, before: number | null, after: number): void {
    this.target = target;
    if (after !== before) this.versions = { before, after };
  }
}
