import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PostList } from "@/components/post-list";
import { findWebsite, nullIfRefused, POSTS_PER_PAGE, stet } from "@/lib/stet";

/** Made when it is first asked for, and kept until a post changes. */
export const generateStaticParams = () => [];
export const metadata: Metadata = { title: "Older posts", robots: { index: false } };

export default async function Older({ params }: PageProps<"/older/[cursor]">) {
  const cursor = decodeURIComponent((await params).cursor);
  const [{ language }, page] = await Promise.all([findWebsite(), nullIfRefused(stet.posts.list({ limit: POSTS_PER_PAGE, cursor }))]);
  if (!page) notFound();
  const { nextCursor } = page.pagination;
  return (
    <>
      <header className="intro">
        <h1>Older posts</h1>
      </header>
      <PostList posts={page.items} language={language} olderHref={nextCursor ? `/older/${nextCursor}` : undefined} />
    </>
  );
}
