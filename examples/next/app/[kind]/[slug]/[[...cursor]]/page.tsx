import type { Metadata } from "next";
import { notFound, permanentRedirect } from "next/navigation";
import { cache } from "react";
import { Picture } from "@/components/picture";
import { PostList } from "@/components/post-list";
import { alternatesOf, findWebsite, NOT_FOUND, nullIfRefused, POSTS_PER_PAGE, stet } from "@/lib/stet";

/** Made when it is first asked for, and kept until a post changes. */
export const generateStaticParams = () => [];

const KINDS = ["category", "tag", "author"] as const;

const findTerm = cache(async (kind: string, slug: string) => {
  if (kind === "author") return stet.authors.findBySlug(slug);
  const term = kind === "category" ? await stet.categories.findBySlug(slug) : kind === "tag" ? await stet.tags.findBySlug(slug) : null;
  return term && { ...term, avatar: null };
});

type Props = PageProps<"/[kind]/[slug]/[[...cursor]]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { kind, slug, cursor } = await params;
  const term = await findTerm(kind, slug);
  if (!term) return NOT_FOUND;
  const canonical = `/${kind}/${term.slug}`;
  return {
    title: term.name,
    description: term.description || undefined,
    alternates: await alternatesOf(canonical),
    ...(cursor && { robots: { index: false } }),
  };
}

/** The posts of a category, tag or author. */
export default async function TermPage({ params }: Props) {
  const { kind: given, slug, cursor: rest = [] } = await params;
  const kind = KINDS.find((each) => each === given);
  const term = kind ? await findTerm(kind, slug) : null;
  if (!kind || !term || rest.length > 1) notFound();
  // It was renamed, or asked for by its id.
  if (term.slug !== slug) permanentRedirect(`/${kind}/${term.slug}`);
  const cursor = rest[0] && decodeURIComponent(rest[0]);
  const [{ language }, page] = await Promise.all([
    findWebsite(),
    nullIfRefused(stet.posts.list({ limit: POSTS_PER_PAGE, [kind]: slug, ...(cursor && { cursor }) })),
  ]);
  if (!page) notFound();
  const { nextCursor } = page.pagination;
  return (
    <>
      <header className="intro">
        {term.avatar && <Picture image={term.avatar} sizes="6rem" isFirst alt="" />}
        <p className="kind">{kind === "author" ? "Posts by" : kind}</p>
        <h1>{term.name}</h1>
        {term.description && <p>{term.description}</p>}
      </header>
      <PostList posts={page.items} language={language} olderHref={nextCursor ? `/${kind}/${slug}/${nextCursor}` : undefined} />
    </>
  );
}
