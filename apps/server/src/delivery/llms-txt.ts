import { DEFAULT_POST_SORT, LIMITS } from "@stet/contract";
import { readRoute } from "./read-route.ts";
import { publicAddress } from "./public-address.ts";
import { postAddress } from "#present/post-address";

/** A description of the blog and its newest posts, as Markdown for language models (llmstxt.org). */
export const llmsTxt = readRoute({
  path: "/blog/llms.txt",
  query: {},
  cached: true,
  async run({ content, website }) {
    const address = publicAddress(website);
    const { settings, name } = website;
    const page = await content.posts.listLive(website.id, { sort: DEFAULT_POST_SORT, after: null, limit: LIMITS.pageSizeMax });
    const posts = page.rows
      .filter((post) => !post.content.seo.noindex)
      .map(({ content: { title, slug, excerpt } }) => {
        const about = oneLine(excerpt);
        return `- [${label(title)}](${postAddress(address, slug)})${about && `: ${about}`}`;
      });
    const description = oneLine(settings.description);
    const parts = [
      `# ${oneLine(settings.title || name)}`,
      ...(description ? [`> ${description}`] : []),
      ["## Posts", "", ...posts].join("\n"),
    ];
    return { kind: "text", contentType: "text/plain; charset=utf-8", text: `${parts.join("\n\n")}\n` };
  },
});

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

/** Brackets in a title must not end the link. */
const label = (title: string): string => oneLine(title).replaceAll(/[\\[\]]/g, (character) => `\\${character}`);
