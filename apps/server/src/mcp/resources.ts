import { type ListResourcesResult, type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { fail, Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { getPostWithTerms } from "#operations/posts/get-post-with-terms";
import { listPosts } from "#operations/posts/list-posts";
import { getWebsite } from "#operations/websites/get-website";
import { failureOf } from "./answers.ts";
import { BY_PEOPLE, fenced, fencedStyleGuide, oneLine, quoted, quotedValue } from "./content.ts";
import { type CallingOptions, logCall } from "./call-tool.ts";
import { type Caller, ToolRun } from "./tool-run.ts";
import { type ReachableWebsite, reachableWebsites } from "./websites.ts";

const MARKDOWN = "text/markdown";
const PAGE = 50;

const postUri = (websiteId: string, postId: string): string => `stet://website/${websiteId}/post/${postId}`;
const styleGuideUri = (websiteId: string): string => `stet://website/${websiteId}/style-guide`;
const URI = /^stet:\/\/website\/(site_[0-9a-z]{26})\/(?:post\/(post_[0-9a-z]{26})|(style-guide))$/;

export const TEMPLATES = [
  {
    name: "post",
    title: "A post",
    uriTemplate: postUri("{websiteId}", "{postId}"),
    description: "The working copy of a post as Markdown, with its fields as front matter.",
    mimeType: MARKDOWN,
  },
  {
    name: "style-guide",
    title: "A website's style guide",
    uriTemplate: styleGuideUri("{websiteId}"),
    description: "The owner's rules for everything you write: tone, headings, categories.",
    mimeType: MARKDOWN,
  },
] as const;

/** First the style guides, then the posts of one website after the other, last edited first. */
export async function listResources(caller: Caller, cursor: string | undefined): Promise<ListResourcesResult> {
  const { services, actor } = caller;
  const websites = await reachableWebsites(services, actor);
  const position = cursor === undefined ? { websiteId: websites[0]?.id, posts: undefined } : readCursor(cursor);
  const index = websites.findIndex(({ id }) => id === position.websiteId);
  const website = websites[index];
  if (!website) {
    if (cursor === undefined) return { resources: [] };
    throw fail("INVALID_CURSOR", "This cursor was altered, or its website is gone. Start again without a cursor.");
  }
  const page = await services.execute(listPosts, actor, {
    websiteId: website.id,
    limit: PAGE,
    ...(position.posts !== undefined && { cursor: position.posts }),
  });
  const next = page.nextCursor === null ? websites[index + 1]?.id : website.id;
  return {
    resources: [
      ...(cursor === undefined ? websites.map(styleGuideOf) : []),
      ...page.items.map((post) => ({
        uri: postUri(website.id, post.id),
        name: oneLine(post.working.slug),
        title: oneLine(post.working.title),
        description: `${post.status} post of ${quoted(website.name)}, version ${post.version}`,
        mimeType: MARKDOWN,
        annotations: { lastModified: post.editedAt },
      })),
    ],
    ...(next !== undefined && { nextCursor: writeCursor(next, page.nextCursor) }),
  };
}

const styleGuideOf = ({ id, name }: ReachableWebsite) => ({
  uri: styleGuideUri(id),
  name: "style-guide",
  title: `Style guide of ${quoted(name)}`,
  mimeType: MARKDOWN,
});

const writeCursor = (websiteId: WebsiteId, posts: string | null): string =>
  Buffer.from(JSON.stringify([websiteId, posts])).toString("base64url");

function readCursor(cursor: string): { websiteId: string; posts: string | undefined } {
  try {
    const [websiteId, posts] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as [unknown, unknown];
    if (typeof websiteId === "string" && (posts === null || typeof posts === "string")) return { websiteId, posts: posts ?? undefined };
  } catch {
    // Not ours: refused below.
  }
  throw fail("INVALID_CURSOR", "This cursor was altered or cut. Start again without a cursor.");
}

/** Reads it, and writes that down: a whole post that left by this way is in the log as one that a tool read. */
export async function readResource(caller: Caller, uri: string, { toolCallLog, isOutage }: CallingOptions): Promise<ReadResourceResult> {
  const [, websiteId, postId] = URI.exec(uri) ?? [];
  if (websiteId === undefined) throw new ResourceNotFoundError(uri, "NOT_FOUND: There is no such resource. List them with resources/list.");
  const run = new ToolRun(caller);
  const called = { name: postId === undefined ? "get_style_guide" : "get_post" };
  try {
    await run.website(websiteId);
    if (postId !== undefined) run.target = { id: postId, label: "" };
    const text = postId === undefined ? await styleGuide(caller, websiteId) : await postDocument(caller, websiteId, postId);
    await logCall(toolCallLog, called, run, null);
    return { contents: [{ uri, mimeType: MARKDOWN, text }] };
  } catch (error) {
    await run.confirmScope();
    await logCall(toolCallLog, called, run, failureOf(error, caller.requestId, isOutage).code);
    if (error instanceof Failure && error.code === "NOT_FOUND")
      throw new ResourceNotFoundError(uri, `NOT_FOUND: ${oneLine(error.message)}`);
    throw error;
  }
}

/** Within its fence; empty where there is none. */
export async function styleGuide({ services, actor }: Caller, websiteId: string): Promise<string> {
  const { settings } = await services.execute(getWebsite, actor, { websiteId });
  return settings.styleGuide.trim() === "" ? "" : fencedStyleGuide(settings.styleGuide, websiteId);
}

async function postDocument({ services, actor }: Caller, websiteId: string, postId: string): Promise<string> {
  const { post, terms } = await services.execute(getPostWithTerms, actor, { websiteId, postId });
  const { working } = post;
  const names = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name);
  const facts = {
    title: working.title,
    id: post.id,
    slug: working.slug,
    status: post.status,
    version: post.version,
    excerpt: working.excerpt,
    categories: names(terms.working.categories),
    tags: names(terms.working.tags),
    authors: names(terms.working.authors),
  };
  // JSON is YAML.
  const front = Object.entries(facts).map(([key, value]) => `${key}: ${quotedValue(value)}`);
  return `---\n${front.join("\n")}\n---\n\n${fenced(`text of ${post.id}, ${BY_PEOPLE}`, working.body)}\n`;
}
