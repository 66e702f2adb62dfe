import { linksAndImagesOf } from "#domain/markdown/links-and-images";
import { fold } from "#domain/fold";
import type { Heading, Post, Rendering } from "#domain/post";
import { type OnPost, postOperation } from "../kernel/operation.ts";
import { brokenLinks } from "./helpers/broken-links.ts";
import { notReady } from "./helpers/require-ready.ts";

/** Longer ones are cut in most search results. */
const SEARCH_TITLE_CHARACTERS = 60;
/** Of one kind; a body with a thousand images without a description needs no thousand lines. */
const MOST_OF_A_KIND = 20;

export interface Finding {
  readonly kind:
    | "title-missing"
    | "field-missing"
    | "slug-taken"
    | "body-empty"
    | "description-missing"
    | "title-long"
    | "cover-alt-missing"
    | "image-alt-missing"
    | "link-broken"
    | "heading-skips"
    | "title-repeated";
  /** "stops": publishing is refused until it is mended. "advice": readers would be better served. */
  readonly severity: "stops" | "advice";
  readonly message: string;
  /** The field at fault, such as `title` or `fields.price`; in a body also the heading, image or link. */
  readonly where: { readonly field: string; readonly detail: string | null };
}

export const checkPost = postOperation({
  name: "check_post",
  summary: "Check a post before it is published: what blocks it, and what could be better.",
  permission: "post.read",
  input: {},
  async run(context): Promise<readonly Finding[]> {
    const { post, services } = context;
    const rendering = await services.render(post.working.body);
    const { links, images } = linksAndImagesOf(rendering.html);
    const [slug, cover, broken] = await Promise.all([slugFindings(context), coverFindings(context), brokenLinks(context, links)]);
    return [
      ...readyFindings(context),
      ...slug,
      ...textFindings(post, rendering.text.trim() === "" && images.length === 0),
      ...repeatedTitle(post, rendering),
      ...cover,
      ...images
        .filter(({ alt }) => alt.trim() === "")
        .map(({ src }) => withoutAlt(src))
        .slice(0, MOST_OF_A_KIND),
      ...broken.slice(0, MOST_OF_A_KIND),
      ...skippedLevels(rendering.headings).slice(0, MOST_OF_A_KIND),
    ];
  },
  activity: "none",
});

/** Exactly what publishing refuses. */
const readyFindings = ({ website, post }: OnPost): readonly Finding[] =>
  notReady(website, post).map(({ field, message }) =>
    field === "title"
      ? { kind: "title-missing", severity: "stops", message: "The post has no title. Give it one.", where: { field, detail: null } }
      : { kind: "field-missing", severity: "stops", message: `${message}.`, where: { field, detail: null } },
  );

async function slugFindings({ content, website, post }: OnPost): Promise<readonly Finding[]> {
  const { slug } = post.working;
  const owner = (await content.claims.owners(website.id, "post", [slug])).get(slug);
  if (owner === undefined || owner === post.id) return [];
  const message = `The address "${slug}" belongs to another post, or redirects to it. Choose another one.`;
  return [{ kind: "slug-taken", severity: "stops", message, where: { field: "slug", detail: slug } }];
}

function textFindings({ working }: Post, isEmpty: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  const advise = (kind: Finding["kind"], field: string, message: string) =>
    findings.push({ kind, severity: "advice", message, where: { field, detail: null } });
  if (isEmpty) advise("body-empty", "body", "The post has no text yet.");
  if (working.excerpt.trim() === "" && (working.seo.description ?? "").trim() === "") {
    advise("description-missing", "excerpt", "There is no excerpt and no description. Lists and search results need one.");
  }
  const [title, field] = working.seo.title ? [working.seo.title, "seo.title"] : [working.title, "title"];
  if ([...title].length > SEARCH_TITLE_CHARACTERS) {
    const message = `The title has ${[...title].length} characters; search results show about ${SEARCH_TITLE_CHARACTERS}. Set a shorter search title.`;
    advise("title-long", field, message);
  }
  return findings;
}

async function coverFindings({ content, website, post: { working } }: OnPost): Promise<readonly Finding[]> {
  const { coverMediaId, coverAlt } = working;
  if (coverMediaId === null || coverAlt?.trim()) return [];
  const media = await content.media.get(website.id, coverMediaId);
  if (media?.alt.trim()) return [];
  const message = "The cover image has no alt text. Describe it in a few words for people who cannot see it.";
  return [{ kind: "cover-alt-missing", severity: "advice", message, where: { field: "coverAlt", detail: coverMediaId } }];
}

const withoutAlt = (src: string): Finding => ({
  kind: "image-alt-missing",
  severity: "advice",
  message: "An image has no alt text. Describe it in a few words for people who cannot see it.",
  where: { field: "body", detail: src },
});

/** Texts are often written with their title on top, where websites show it already. */
function repeatedTitle({ working: { title } }: Post, { headings, text }: Pick<Rendering, "headings" | "text">): readonly Finding[] {
  const [first] = headings;
  if (!first || fold(first.text) !== fold(title) || !text.trimStart().startsWith(first.text)) return [];
  const message = "The text starts with the title, so readers would see it twice. Remove that heading.";
  return [{ kind: "title-repeated", severity: "advice", message, where: { field: "body", detail: first.id } }];
}

/** From one heading to the next, a level may be skipped upwards only: a listener would look for the one between. */
function skippedLevels(headings: readonly Heading[]): readonly Finding[] {
  return headings.flatMap((heading, index) => {
    const before = headings[index - 1]?.depth;
    if (before === undefined || heading.depth <= before + 1) return [];
    const message = `The heading "${heading.text}" is level ${heading.depth} right after level ${before}. Make it level ${before + 1}.`;
    return [{ kind: "heading-skips", severity: "advice", message, where: { field: "body", detail: heading.id } }];
  });
}
