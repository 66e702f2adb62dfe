import type { PostSummary } from "@stet/client";

/** What search engines read of a post. */
export function PostStructure({ post }: { readonly post: PostSummary }) {
  const structure = {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: post.title,
    description: post.seo.description ?? post.excerpt,
    datePublished: post.publishedAt,
    dateModified: post.updatedAt,
    author: post.authors.map(({ name, url }) => ({ "@type": "Person", name, ...(url && { url }) })),
    ...(post.coverImage && { image: post.coverImage.url }),
    ...(post.url && { mainEntityOfPage: post.url }),
  };
  // A title with </script> in it must not end the script.
  const json = JSON.stringify(structure).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
