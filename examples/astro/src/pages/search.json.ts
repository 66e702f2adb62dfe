import { loadPosts } from "../lib/posts.ts";

/** What the search page looks through. */
export async function GET(): Promise<Response> {
  const posts = (await loadPosts()).map(({ post }) => post);
  return Response.json(
    posts
      .filter(({ seo }) => !seo.noindex)
      .map(({ slug, title, excerpt, tags }) => ({ slug, title, excerpt, tags: tags.map(({ name }) => name) })),
  );
}
