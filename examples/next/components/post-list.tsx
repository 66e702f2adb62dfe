import type { PostSummary } from "@stet/client";
import Link from "next/link";
import { Picture } from "./picture";
import { PostDate } from "./post-date";

interface Props {
  readonly posts: readonly PostSummary[];
  readonly language: string;
  /** The page with older posts. */
  readonly olderHref?: string | undefined;
}

export function PostList({ posts, language, olderHref }: Props) {
  if (posts.length === 0) return <p className="empty">No posts yet.</p>;
  return (
    <>
      <ul className="posts">
        {posts.map((post, index) => (
          <li key={post.id}>
            <article className="card">
              <div>
                <h2>
                  <Link href={`/blog/${post.slug}`} prefetch={false}>
                    {post.title}
                  </Link>
                </h2>
                <p className="meta">
                  <PostDate at={post.publishedAt} language={language} /> · {post.readingMinutes}&nbsp;min&nbsp;read
                </p>
                <p>{post.excerpt}</p>
              </div>
              {post.coverImage && <Picture image={post.coverImage} sizes="(min-width: 40rem) 12rem, 100vw" isFirst={index === 0} alt="" />}
            </article>
          </li>
        ))}
      </ul>
      {olderHref && (
        <nav className="pages" aria-label="Pages">
          <Link href={olderHref} rel="next" prefetch={false}>
            Older posts
          </Link>
        </nav>
      )}
    </>
  );
}
