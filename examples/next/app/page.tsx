import type { Metadata } from "next";
import Link from "next/link";
import { PostList } from "@/components/post-list";
import { alternatesOf, findWebsite, POSTS_PER_PAGE, stet } from "@/lib/stet";

export const generateMetadata = async (): Promise<Metadata> => ({ alternates: await alternatesOf("/") });

export default async function Home() {
  const [{ title, description, language }, { items, pagination }, categories] = await Promise.all([
    findWebsite(),
    stet.posts.list({ limit: POSTS_PER_PAGE }),
    stet.categories.list({ limit: 20 }),
  ]);
  return (
    <>
      <header className="intro">
        <h1>{title}</h1>
        {description && <p>{description}</p>}
        {categories.items.length > 0 && (
          <ul className="terms" aria-label="Categories">
            {categories.items.map(({ id, slug, name }) => (
              <li key={id}>
                <Link href={`/category/${slug}`} prefetch={false}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </header>
      <PostList posts={items} language={language} olderHref={pagination.nextCursor ? `/older/${pagination.nextCursor}` : undefined} />
    </>
  );
}
