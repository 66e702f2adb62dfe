import {
  changes,
  listedAuthor,
  listedCategory,
  listedTag,
  pagination,
  postSummary,
  publicMedia,
  publicPost,
  publicWebsite,
  redirect,
  searchHit,
} from "@stet/contract";
import { z } from "zod";
import type { RouteAnswer, ReadContext, ReadRoute } from "#delivery/read-route";
import { readRoutes } from "#delivery/read-routes";
import { NOT_KEPT, type ReadyPosts } from "#delivery/ready-posts";
import { Failure } from "#domain/failure";
import { bytesOf } from "#http/shared/cached-response";
import type { ContentStore } from "#ports/content-store";
import type { Tenant, TestServices } from "#test/services";

const collectionOf = (item: z.ZodType) => z.strictObject({ data: z.array(item), pagination });
const one = (item: z.ZodType) => z.strictObject({ data: item });

/** What each address promises. Every answer read in these tests is held against it. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  "/blog/posts": collectionOf(postSummary),
  "/blog/posts/{slugOrId}": one(publicPost),
  "/blog/categories": collectionOf(listedCategory),
  "/blog/categories/{slug}": one(listedCategory),
  "/blog/tags": collectionOf(listedTag),
  "/blog/tags/{slug}": one(listedTag),
  "/blog/authors": collectionOf(listedAuthor),
  "/blog/authors/{slug}": one(listedAuthor),
  "/blog/media": collectionOf(publicMedia),
  "/blog/media/{id}": one(publicMedia),
  "/blog/changes": changes,
  "/blog/redirects": collectionOf(redirect),
  "/blog/search": collectionOf(searchHit),
  "/blog/website": one(publicWebsite),
};

export interface Reading {
  /** What the route at this address answers; JSON is held against the contract. */
  read(address: string, options?: { markdown?: boolean }): Promise<RouteAnswer>;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers whose shape was just checked
  json(address: string): Promise<any>;
  text(address: string, options?: { markdown?: boolean }): Promise<string>;
  /** The code of the refusal, or "answered". */
  code(address: string): Promise<string>;
}

/** Reads a website at the level of the routes: the gate and the bytes are tested with the router. */
export function readingOf(
  services: TestServices,
  tenant: Tenant,
  options: { content?: ContentStore; readyPosts?: ReadyPosts; readRoutes?: readonly ReadRoute[] } = {},
): Reading {
  const routes = options.readRoutes ?? readRoutes;
  const read: Reading["read"] = async (address, { markdown = false } = {}) => {
    const url = new URL(address, "https://stet.test");
    const found = routes.map((readRoute) => ({ readRoute, params: match(readRoute.path, url.pathname) })).find(({ params }) => params);
    if (!found) throw new Error(`No route for ${url.pathname}`);
    const query = Object.fromEntries([...url.searchParams].map(([name, raw]) => [name, found.readRoute.query[name]!(raw)]));
    const answer = await found.readRoute.run(await contextOf(), found.params!, query, markdown);
    // As it leaves the service, so that what JSON drops is not there.
    if (answer.kind !== "text") ANSWERS[found.readRoute.path]!.parse(JSON.parse(bytesOf(answer).toString()));
    return answer;
  };

  async function contextOf(): Promise<ReadContext> {
    const website = (await services.platform.websites.get(tenant.website.id))!;
    return {
      services: { ...services, publicUrl: services.settings.publicUrl },
      website,
      workspace: tenant.workspace,
      content: options.content ?? services.contentOf(website),
      readyPosts: options.readyPosts ?? NOT_KEPT,
      now: services.now,
    };
  }

  return {
    read,
    async json(address) {
      const answer = await read(address);
      if (answer.kind === "text") throw new Error(`${address} is not JSON`);
      return JSON.parse(bytesOf(answer).toString());
    },
    async text(address, markdown) {
      return bytesOf(await read(address, markdown)).toString();
    },
    async code(address) {
      try {
        await read(address);
        return "answered";
      } catch (error) {
        if (error instanceof Failure) return error.code;
        throw error;
      }
    },
  };
}

function match(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [position, part] of wanted.entries()) {
    const value = decodeURIComponent(given[position]!);
    if (part.startsWith("{")) params[part.slice(1, -1)] = value;
    else if (part !== value) return null;
  }
  return params;
}
