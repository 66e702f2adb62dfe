"use client";

import { useEffect } from "react";
import { trackView, type View } from "./views.ts";

export type { View } from "./views.ts";

/** Counts a view of a post while the component is shown; another one when the post changes. */
export function useView({ website, post, url, endpoint }: View): void {
  useEffect(() => trackView({ website, post, url, endpoint }), [website, post, url, endpoint]);
}

/** `<StetView website="site_…" post={post.slug} url="https://stet.example.com" />` on the page of a post. Shows nothing. */
export function StetView(view: View): null {
  useView(view);
  return null;
}
