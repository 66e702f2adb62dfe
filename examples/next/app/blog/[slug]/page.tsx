import { StetView } from "@stet/client/react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound, permanentRedirect } from "next/navigation";
import { Picture } from "@/components/picture";
import { PostDate } from "@/components/post-date";
import { PostStructure } from "@/components/post-structure";
import { alternatesOf, findPost, findWebsite, NOT_FOUND, stetUrl } from "@/lib/stet";

/** Made when it is first asked for, and kept until a webhook says that the post changed. */
export const generateStaticParams = () => [];

type Props = PageProps<"/blog/[slug]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const post = await findPost((await params).slug);
  if (!post) return NOT_FOUND;
  const { seo, title, coverImage } = post;
  const isPreview = "status" in post;
  const description = seo.description ?? post.excerpt;
  const image = seo.ogImageUrl ?? coverImage?.url;
  const canonical = seo.canonicalUrl ?? post.url;
  return {
    title: seo.title ?? title,
    description,
    alternates: await alternatesOf(canonical),
    ...((seo.noindex || isPreview) && { robots: { index: false } }),
    ...(isPreview && { referrer: "no-referrer" }),
    openGraph: {
      type: "article",
      title: seo.title ?? title,
      description,
      publishedTime: post.publishedAt,
      modifiedTime: post.updatedAt,
      authors: post.authors.map(({ name }) => name),
      ...(post.url && { url: post.url }),
      ...(image && { images: [image] }),
    },
    twitter: { card: image ? "summary_large_image" : "summary" },
  };
}

export default async function PostPage({ params }: Props) {
  const { slug } = await params;
  const [{ id, language }, post] = await Promise.all([findWebsite(), findPost(slug)]);
  if (!post) notFound();
  // It was renamed, or asked for by its id: a post has one address.
  if (post.slug !== slug) permanentRedirect(`/blog/${post.slug}`);
  const isPreview = "status" in post;
  return (
    <>
      {isPreview && (
        <p className="preview" role="status">
          Preview of a post that readers do not see like this. <a href="/preview/exit">Leave preview</a>
        </p>
      )}
      <article className="post">
        <header>
          <h1>{post.title}</h1>
          <p className="meta">
            {post.authors.map((author) => (
              <span key={author.id}>
                <Link href={`/author/${author.slug}`} rel="author" prefetch={false}>
                  {author.name}
                </Link>{" "}
                ·{" "}
              </span>
            ))}
            <PostDate at={post.publishedAt} language={language} /> · {post.readingMinutes}&nbsp;min&nbsp;read
          </p>
        </header>
        {post.coverImage && <Picture image={post.coverImage} sizes="(min-width: 46rem) 44rem, 100vw" isFirst />}
        {/* Stet sanitised it: it is safe to insert. */}
        <div className="body" dangerouslySetInnerHTML={{ __html: post.body.html ?? "" }} />
        <footer>
          <ul className="terms" aria-label="Categories and tags">
            {post.categories.map((category) => (
              <li key={category.id}>
                <Link href={`/category/${category.slug}`} prefetch={false}>
                  {category.name}
                </Link>
              </li>
            ))}
            {post.tags.map((tag) => (
              <li key={tag.id}>
                <Link href={`/tag/${tag.slug}`} rel="tag" prefetch={false}>
                  #{tag.name}
                </Link>
              </li>
            ))}
          </ul>
        </footer>
      </article>
      <PostStructure post={post} />
      {!isPreview && <StetView website={id} post={post.id} url={stetUrl} />}
    </>
  );
}
