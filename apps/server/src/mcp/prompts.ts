import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { WebsiteId } from "#domain/ids";
import { getPost } from "#operations/posts/get-post";
import { getWebsite } from "#operations/websites/get-website";
import { quoted } from "./content.ts";
import { styleGuide } from "./resources.ts";
import { type Caller, ToolRun } from "./tool-run.ts";

const WEBSITE = { name: "website", description: "Website id or name; optional if there is only one", required: false };

/** Ready-made beginnings that a person chooses in their client. */
export const PROMPTS: Prompt[] = [
  {
    name: "draft_post",
    title: "Draft a post",
    description: "Write a new post as a draft, in the website's style, ready for a person to read.",
    arguments: [
      { name: "topic", description: "What the post is about", required: true },
      { name: "audience", description: "Who it is for, and what they should take away", required: false },
      WEBSITE,
    ],
  },
  {
    name: "improve_seo",
    title: "Improve a post for search",
    description: "Look at one post's title, description, headings, links and images, and improve them without changing what it says.",
    arguments: [{ name: "post", description: "Post id, slug or address", required: true }, WEBSITE],
  },
];

type Arguments = Readonly<Record<string, string>>;

export async function getPrompt(caller: Caller, name: string, given: Arguments): Promise<GetPromptResult> {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${quoted(name.slice(0, 64))}. List them with prompts/list.`,
    );
  const missing = (prompt.arguments ?? []).filter((one) => one.required && !given[one.name]?.trim()).map((one) => one.name);
  if (missing.length > 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `VALIDATION_FAILED: ${missing.join(", ")} is required. Add it and ask again.`);
  }
  const call = new ToolRun(caller);
  const websiteId = await call.website(given.website);
  const text = name === "draft_post" ? await draftPost(caller, websiteId, given) : await improveSeo(call, websiteId, given.post ?? "");
  return { ...(prompt.description && { description: prompt.description }), messages: [{ role: "user", content: { type: "text", text } }] };
}

async function draftPost(caller: Caller, websiteId: string, { topic, audience }: Arguments): Promise<string> {
  const { services, actor } = caller;
  const { name, settings } = await services.execute(getWebsite, actor, { websiteId });
  const guide = await styleGuide(caller, websiteId);
  return [
    `Write a post for the website ${quoted(name)} (${websiteId}) in the language ${quoted(settings.language)}.`,
    `Topic: ${topic}`,
    ...(audience ? [`For: ${audience}`] : []),
    guide === "" ? "There is no style guide: look at two recent posts (list_posts, get_post) for the tone." : `Style guide:\n${guide}`,
    "Steps: search_posts for earlier posts about it, and link to them; draft it with create_post (body in Markdown without an H1, an excerpt of one or two sentences, categories that exist); then preview_post, fix what it finds, and give me the preview link. Do not publish.",
  ].join("\n\n");
}

async function improveSeo(call: ToolRun, websiteId: WebsiteId, named: string): Promise<string> {
  const post = await call.run(getPost, { websiteId, postId: await call.post(websiteId, named) });
  return [
    `Improve the post ${quoted(post.working.title)} (${post.id}, website ${websiteId}) for people who search.`,
    "Read it with get_post and check it with preview_post. Then propose, and after my yes apply with update_post and edit_post_body:",
    "- a title people would search for (up to 60 characters; seo.title if the title itself should stay)",
    "- a description of 120 to 160 characters (seo.description), and an excerpt if there is none",
    "- headings in order without skipped levels, alt texts for images, links to related posts (search_posts)",
    "Keep the meaning, the voice and the address (slug). Do not publish until I say so.",
  ].join("\n");
}
