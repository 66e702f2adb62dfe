import type { Website, Workspace } from "#domain/website";
import type { ContentStore } from "#ports/content-store";
import type { ReadyPosts } from "./ready-posts.ts";
import type { DeliveryServices } from "./services.ts";

/** The context of a read route: the website that the key belongs to, and nothing else. */
export interface ReadContext {
  readonly services: DeliveryServices;
  readonly website: Website;
  readonly workspace: Workspace;
  readonly content: ContentStore;
  readonly readyPosts: ReadyPosts;
  readonly now: Date;
}

/** The answer of a route, before it becomes bytes. */
export type RouteAnswer =
  | { readonly kind: "json"; readonly value: unknown }
  /** A collection whose items are JSON already: `data`, followed by the rest. */
  | { readonly kind: "list"; readonly data: readonly Buffer[]; readonly rest: object }
  | { readonly kind: "text"; readonly contentType: string; readonly text: string };

/** Reads one query parameter; throws a Failure (400) that says what is wrong. */
export type Parameter<Value> = (raw: string) => Value;

type Query<Q extends Record<string, Parameter<unknown>>> = { readonly [Name in keyof Q]: ReturnType<Q[Name]> | undefined };

/** One readable address of the API. The gate has checked key, origin, bucket and quota before `run` is called. */
export interface ReadRoute<
  Params extends string = string,
  Q extends Record<string, Parameter<unknown>> = Record<string, Parameter<unknown>>,
> {
  /** The pattern below /v1, such as `/blog/posts/{slugOrId}`; also the name in usage and metrics. */
  readonly path: string;
  /** Closed list: any other parameter is refused, and a repeated one too. */
  readonly query: Q;
  /** Needs a plan that has it. */
  readonly needs?: "search";
  /** Whether the answer depends on nothing but the address, the Accept header and the website's content version. */
  readonly cached: boolean;
  /** `accept` is true for `Accept: text/markdown` (only where the route knows it). */
  run(context: ReadContext, params: Readonly<Record<Params, string>>, query: Query<Q>, wantsMarkdown: boolean): Promise<RouteAnswer>;
}

export function readRoute<Params extends string, Q extends Record<string, Parameter<unknown>>>(
  definition: ReadRoute<Params, Q>,
): ReadRoute {
  return definition as unknown as ReadRoute;
}
