import type { Endpoint } from "./endpoint.ts";
import { getPost } from "./get-post.ts";
import { listPosts } from "./list-posts.ts";
import { getMedia, listMedia } from "./media.ts";
import { termEndpoints } from "./terms.ts";

/** Every address a key can read, as the router serves it and the OpenAPI document describes it. */
export const contentEndpoints: readonly Endpoint[] = [
  listPosts,
  getPost,
  ...termEndpoints("category", "categories"),
  ...termEndpoints("tag", "tags"),
  ...termEndpoints("author", "authors"),
  listMedia,
  getMedia,
];
