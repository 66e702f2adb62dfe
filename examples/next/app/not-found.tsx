import type { Metadata } from "next";
import Link from "next/link";
import { SearchForm } from "@/components/search-form";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <>
      <div className="intro">
        <h1>Page not found</h1>
        <p>
          It may have moved. Look for it, or see{" "}
          <Link href="/" prefetch={false}>
            all posts
          </Link>
          .
        </p>
      </div>
      <SearchForm />
    </>
  );
}
