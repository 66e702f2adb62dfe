import type { Metadata, Viewport } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { alternatesOf, findWebsite } from "@/lib/stet";
import "./globals.css";

export const revalidate = 3600;

export async function generateMetadata(): Promise<Metadata> {
  const { title, description, url } = await findWebsite();
  return {
    title: { default: title, template: `%s · ${title}` },
    description,
    // Without the path of the blog: pages name their addresses from the root.
    ...(url && { metadataBase: new URL("/", url) }),
    alternates: await alternatesOf(null),
  };
}

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const { title, description, language } = await findWebsite();
  return (
    <html lang={language}>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header className="top">
          <Link className="name" href="/" prefetch={false}>
            {title}
          </Link>
          <nav aria-label="Site">
            <Link href="/search" prefetch={false}>
              Search
            </Link>
            <a href="/blog/feed.xml">RSS</a>
          </nav>
        </header>
        <main id="main">{children}</main>
        <footer className="bottom">
          <p>{description || title}</p>
        </footer>
      </body>
    </html>
  );
}
