import type { PostListPage } from "./answers.ts";
import { rpc } from "./rpc.ts";
import type { Input } from "./wire.ts";

/**
 * The next page that has posts, or the last one. The server looks through the titles of a large website a part at a time, so a page
 * without posts is the end only when it has no cursor.
 */
export async function findPosts(input: Input<"list_posts">, signal: AbortSignal): Promise<PostListPage> {
  let page = await rpc("list_posts", input, { signal });
  while (page.items.length === 0 && page.nextCursor !== null) {
    page = await rpc("list_posts", { ...input, cursor: page.nextCursor }, { signal });
  }
  return page;
}
