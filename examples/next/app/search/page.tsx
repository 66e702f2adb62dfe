import { StetError } from "@stet/client";
import type { Metadata } from "next";
import Link from "next/link";
import { SearchForm } from "@/components/search-form";
import { stet } from "@/lib/stet";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

async function search(words: string) {
  try {
    return (await stet.search(words, { limit: 20 }, { fetchOptions: { cache: "no-store" } })).items;
  } catch (error) {
    if (!StetError.is(error)) throw error;
    if (error.code === "PLAN_REQUIRED") return "Search is not part of this website's plan.";
    if (error.status === 400) return "Try other words.";
    throw error;
  }
}

export default async function Search({ searchParams }: PageProps<"/search">) {
  const { q } = await searchParams;
  const words = typeof q === "string" ? q.trim() : "";
  const found = words ? await search(words) : null;
  return (
    <>
      <header className="intro">
        <h1>Search</h1>
      </header>
      <SearchForm words={words} />
      {typeof found === "string" && <p className="empty">{found}</p>}
      {Array.isArray(found) && <p role="status">{found.length === 1 ? "1 post" : `${found.length || "No"} posts`} found.</p>}
      {Array.isArray(found) && (
        <ul className="posts">
          {found.map(({ post, highlights }) => (
            <li key={post.id}>
              <h2>
                {/* Highlights are escaped but for <mark>. */}
                <Link href={`/blog/${post.slug}`} prefetch={false} dangerouslySetInnerHTML={{ __html: highlights.title }} />
              </h2>
              <p dangerouslySetInnerHTML={{ __html: highlights.excerpt }} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
