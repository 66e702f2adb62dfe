import { notFound } from "#domain/failure";
import { readRoute } from "./read-route.ts";
import { findPost } from "./find-post.ts";
import { markdownDocument } from "./markdown-document.ts";
import { choiceOf } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";
import { BODY_FORMATS, presentPost } from "#present/posts";

const format = choiceOf("format", BODY_FORMATS);

export const getPost = readRoute({
  path: "/blog/posts/{slugOrId}",
  query: { format },
  cached: true,
  async run(context, params: Readonly<Record<"slugOrId", string>>, query, wantsMarkdown) {
    const found = await findPost(context.content, context.website.id, params.slugOrId);
    if (!found) throw notFound("published post");
    const redirected = found.slugRedirectedFrom === undefined ? {} : { slugRedirectedFrom: found.slugRedirectedFrom };
    // A request that names HTML gets HTML, even if its header prefers something else.
    if (wantsMarkdown && query.format !== "html") {
      const post = await presentPost(sourceOf(context), found.post, "markdown");
      return { kind: "text", contentType: "text/markdown; charset=utf-8", text: markdownDocument({ ...post, ...redirected }) };
    }
    const post = await presentPost(sourceOf(context), found.post, query.format);
    return { kind: "json", value: { data: { ...post, ...redirected } } };
  },
});
