import type { PostId } from "#domain/ids";
import type { LinksAndImages } from "#domain/markdown/links-and-images";
import { isSlug } from "#domain/slug";
import type { OnPost } from "../../kernel/operation.ts";
import type { Finding } from "../check-post.ts";

/** Different addresses that are looked up; a body with more is checked as far as that. */
const MOST_LOOKED_UP = 200;
/** Stands in for the website while it has no public address: only links from its root can be understood then. */
const NOWHERE = "https://website.invalid";

/** Links to the website's own posts that lead to none: nobody published it, or it was taken down. */
export async function brokenLinks(context: OnPost, links: LinksAndImages["links"]): Promise<readonly Finding[]> {
  const { website, post } = context;
  const wanted = new Map<string, LinksAndImages["links"][number]>();
  for (const link of links) {
    const slug = slugIn(link.href, website.settings.publicUrl ?? NOWHERE);
    if (slug !== null && slug !== post.working.slug && wanted.size < MOST_LOOKED_UP && !wanted.has(slug)) wanted.set(slug, link);
  }
  const found = await published(context, [...wanted.keys()]);
  return [...wanted]
    .filter(([slug]) => !found.has(slug))
    .map(([, { href, text }]) => ({
      kind: "link-broken",
      severity: "advice",
      message: `The link ${text.trim() === "" ? "" : `"${text.trim()}" `}to ${href} does not lead to a published post. Fix it, unless it is another page of your website.`,
      where: { field: "body", detail: href },
    }));
}

/** The slug that an address of the website means; null when it leads elsewhere. */
function slugIn(href: string, publicUrl: string): string | null {
  const base = URL.parse(publicUrl);
  const url = URL.parse(href, publicUrl);
  if (!base || !url || url.origin !== base.origin || href.startsWith("#")) return null;
  const folder = base.pathname.replace(/\/$/, "");
  if (!url.pathname.startsWith(`${folder}/`)) return null;
  const name = url.pathname.slice(folder.length + 1).replace(/\/$/, "");
  return isSlug(name) ? name : null;
}

async function published({ content, website }: OnPost, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set();
  const owners = await content.claims.owners(website.id, "post", slugs);
  const live = await content.posts.getManyLive(website.id, [...new Set(owners.values())] as PostId[]);
  const present = new Map(live.map((post) => [post.id as string, post.content.slug]));
  const found = new Set<string>();
  for (const [slug, owner] of owners) {
    const current = present.get(owner);
    // A claim alone proves nothing: it may belong to a rename that is not live yet.
    if (current === slug) found.add(slug);
    else if (current !== undefined && (await content.posts.getLive(website.id, owner as PostId))?.pastSlugs.includes(slug)) found.add(slug);
  }
  return found;
}
