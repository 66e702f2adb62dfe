import type { Role } from "@stet/contract";
import { z } from "zod";
import type { AccountPermission, Permission, Reach } from "#domain/access";
import type { Actor, ActorRef } from "#domain/actor";
import { isId, type PostId, type WebsiteId, type WorkspaceId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Post, RevisionHead } from "#domain/post";
import type { Suggestion } from "#domain/suggestion";
import type { Timestamp } from "#domain/time";
import type { Website, Workspace } from "#domain/website";
import type { ContentStore } from "#ports/content-store";
import type { CallActivity } from "./call-activity.ts";
import type { Services } from "./services.ts";

/** The context of every operation. */
export interface Call {
  readonly services: Services;
  readonly actor: Actor;
  /** The actor as it is written into records. */
  readonly by: ActorRef;
  readonly now: Timestamp;
  /** For a save, which writes them with itself where the store can. */
  readonly lines?: CallActivity;
}

export interface InWorkspace extends Call {
  readonly workspace: Workspace;
  /** The actor's role on this request; null for jobs. */
  readonly role: Role | null;
  /** How far the permission reaches: lists narrow themselves by it. */
  readonly reach: Exclude<Reach, "none">;
}

export interface InWebsite extends InWorkspace {
  readonly website: Website;
  readonly content: ContentStore;
}

export interface OnPost extends InWebsite {
  /** Loaded on this request, within the actor's reach; for a tool with its own open suggestion in it. */
  readonly post: SeenPost;
  /** As it lies in the store. */
  readonly stored: Post;
  /** The open suggestion of the tool that asks. */
  readonly suggestion: Suggestion | null;
  /** The post's newest revision, for an operation that may add to it; null where there is none or it was not asked for. */
  readonly latestRevision: RevisionHead | null;
}

/** The tool's suggestion that a post is shown with. */
export interface SuggestionHead extends Pick<Suggestion, "id" | "version" | "action"> {
  /** Fields that it changes. */
  readonly fields: readonly string[];
  /** Fields that people have changed since, too. */
  readonly conflicts: readonly string[];
}

export type SeenPost = Post & { readonly suggestion?: SuggestionHead };

export interface Scopes {
  account: Call;
  workspace: InWorkspace;
  website: InWebsite;
  post: OnPost;
}
export type Scope = keyof Scopes;

/** The entry of a call in the activity log. Null: nothing happened that is worth a line. */
export interface Activity {
  readonly target: { readonly id: string; readonly label: string } | null;
  readonly details?: JsonObject;
  /** Entries with the same key become one (autosaves). */
  readonly foldKey?: string;
  /** For account operations, which have no workspace of their own. */
  readonly workspaceId?: WorkspaceId;
}

/** An operation's entry in the activity log; several where it concerns several workspaces. */
type LoggedActivity = Activity | readonly Activity[] | null;

/**
 * How a call changes the answers that API keys get. The read path keeps answers and keys in memory, and is told this much:
 * - `nothing`: working copies, people, tools and webhooks. No key sees any of it.
 * - `content`: what readers of the website see.
 * - `access`: what a key may do, or how the website presents itself: keys, plan, settings. Answers follow from it too.
 */
export type Changes = "nothing" | "content" | "access";
/** Content belongs to a website, access to a website or a workspace. */
type ChangesIn<S extends Scope> = S extends "account" ? "nothing" : S extends "workspace" ? "nothing" | "access" : Changes;

/** One thing a person or a tool can do. `Raw` is what a caller sends: before defaults are filled in and ids are checked. */
export interface Operation<S extends Scope = Scope, Input = unknown, Output = unknown, Raw = unknown> {
  readonly name: string;
  /** One sentence; shown to people and to tools. */
  readonly summary: string;
  readonly scope: S;
  readonly permission: S extends "account" ? AccountPermission : Permission;
  readonly input: z.ZodType<Input, Raw>;
  readonly run: (context: Scopes[S], input: Input) => Promise<Output>;
  /** Reads leave no trace; every change says what to write down. */
  readonly activity: "none" | ((context: Scopes[S], input: Input, output: Output) => LoggedActivity);
  readonly changes: (input: Input) => Changes;
  /** Whether it may add to the newest revision instead of making one: then that is loaded with the post. */
  readonly folds?: (input: Input) => boolean;
}

const id = <Id extends string>(kind: Parameters<typeof isId>[0]) =>
  z.custom<Id>((value) => typeof value === "string" && isId(kind, value), { error: `must be a ${kind} id` }) as z.ZodType<Id, string>;

export const workspaceId = id<WorkspaceId>("workspace");
export const websiteId = id<WebsiteId>("website");
export const postId = id<PostId>("post");
export { id as idOf };

type Shape = z.core.$ZodLooseShape;
type InputOf<S extends Shape> = z.infer<z.ZodObject<S, z.core.$strict>>;
type RawOf<S extends Shape> = z.input<z.ZodObject<S, z.core.$strict>>;
type Definition<S extends Scope, I extends Shape, Extra extends Shape, Output> = {
  name: string;
  summary: string;
  permission: S extends "account" ? AccountPermission : Permission;
  input: I;
  run: (context: Scopes[S], input: InputOf<I & Extra>) => Promise<Output>;
  folds?: S extends "post" ? (input: InputOf<I & Extra>) => boolean : never;
} & (
  | { activity: "none"; changes?: never }
  // An operation that changes something names it: the compiler asks every new one.
  | {
      activity: (context: Scopes[S], input: InputOf<I & Extra>, output: Output) => LoggedActivity;
      changes: ChangesIn<S> | ((input: InputOf<I & Extra>) => ChangesIn<S>);
    }
);

/** Builds the definers below: each scope adds the ids that locate it to the input. */
function definer<S extends Scope, Extra extends Shape>(scope: S, extra: Extra) {
  return <I extends Shape, Output>(
    definition: Definition<S, I, Extra, Output>,
  ): Operation<S, InputOf<I & Extra>, Output, RawOf<I & Extra>> => ({
    ...definition,
    scope,
    changes: changesOf(definition.changes ?? "nothing"),
    input: z.strictObject({ ...extra, ...definition.input }) as unknown as z.ZodType<InputOf<I & Extra>, RawOf<I & Extra>>,
  });
}

const changesOf = <Input>(changes: Changes | ((input: Input) => Changes)): ((input: Input) => Changes) =>
  typeof changes === "function" ? changes : () => changes;

export const accountOperation = definer("account", {});
export const workspaceOperation = definer("workspace", { workspaceId });
export const websiteOperation = definer("website", { websiteId });
export const postOperation = definer("post", { websiteId, postId });

export type InputFor<O> = O extends Operation<infer _S, infer Input, infer _O> ? Input : never;
/** The input that a typed client sends. */
export type RawInputFor<O> = O extends Operation<infer _S, infer _I, infer _O, infer Raw> ? Raw : never;
export type OutputFor<O> = O extends Operation<infer _S, infer _I, infer Output> ? Output : never;
