import { callTool, isRefusal } from "../session/call-tool.ts";
import type { PostContent } from "./post-file.ts";
import type { Value } from "./yaml-value.ts";

export interface PostHead {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly status: string;
  readonly version: number;
}

export interface Term {
  readonly id: string;
  readonly name: string;
}

/** A post as the server has it now: the working copy. */
export interface RemotePost extends PostHead, Omit<PostContent, "categories" | "tags" | "authors"> {
  readonly categories: readonly Term[];
  readonly tags: readonly Term[];
  readonly authors: readonly Term[];
}

export interface WebsiteContext {
  readonly id: string;
  readonly name: string;
  readonly changesToPublishedPostsWaitForReview: boolean;
  readonly fields: readonly {
    readonly key: string;
    readonly label: string;
    readonly type: string;
    readonly required: boolean;
    readonly options: readonly string[];
  }[];
}

const PAGE = 100;
/** Characters of a text that come with one answer. */
const PART = 100_000;
const MOST_TRIES = 5;

export async function readWebsite(website: string): Promise<WebsiteContext> {
  const { website: found } = await callTool<{ website: WebsiteContext }>("get_context", { website });
  return found;
}

/** Every post outside the trash, without its text. */
export async function listHeads(website: string): Promise<readonly PostHead[]> {
  const heads = new Map<string, PostHead>();
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: { posts: readonly PostHead[]; nextCursor: string | null } = await callTool("list_posts", {
      website,
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    });
    // A post that is edited while we page moves to the front, and may come twice.
    for (const head of page.posts) heads.set(head.id, head);
    cursor = page.nextCursor;
    // Half a list would look as if the others were deleted.
    if (cursor !== null && seen.has(cursor)) throw new Error("The server repeats itself while it lists the posts. Try again.");
    if (cursor !== null) seen.add(cursor);
  } while (cursor !== null);
  return [...heads.values()];
}

interface Part {
  readonly post: Omit<RemotePost, "body">;
  readonly body: { readonly markdown: string; readonly nextOffset: number | null };
}

/** A post with its whole text; null when there is none with this id. */
export async function readPost(website: string, id: string): Promise<RemotePost | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const read = await readParts(website, id);
    if (read !== "changed") return read;
  }
  throw new Error(`${id} is being saved again and again. Try later.`);
}

async function readParts(website: string, id: string): Promise<RemotePost | null | "changed"> {
  let body = "";
  let offset = 0;
  let first: Part["post"] | undefined;
  for (;;) {
    const part: Part | null = await callTool<Part>("get_post", { website, post: id, offset, limit: PART }).catch((error: unknown) => {
      if (isRefusal(error, "NOT_FOUND")) return null;
      throw error;
    });
    if (!part) return null;
    first ??= part.post;
    // Parts of two versions make a text that nobody wrote.
    if (part.post.version !== first.version) return "changed";
    body += part.body.markdown;
    if (part.body.nextOffset === null) return { ...first, body };
    if (part.body.nextOffset <= offset) throw new Error(`${id} cannot be read to its end.`);
    offset = part.body.nextOffset;
  }
}

/** What a person writes of it: terms by name, where the name alone says which. */
export function contentOf(post: RemotePost): PostContent {
  return {
    ...post,
    categories: namesOf(post.categories),
    tags: namesOf(post.tags),
    authors: namesOf(post.authors),
    seo: { ...post.seo } as Record<string, Value>,
    fields: { ...post.fields } as Record<string, Value>,
  };
}

const namesOf = (terms: readonly Term[]): readonly string[] =>
  terms.map(({ id, name }) => (terms.filter((other) => other.name === name).length > 1 ? id : name));
