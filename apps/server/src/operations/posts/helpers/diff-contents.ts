import { type DiffPart, wordDiff } from "@stet/markdown";
import type { PostContent } from "#domain/post";

/** The differences between two contents of a post. */
export interface ContentDiff {
  /** Word by word; empty when both are the same. */
  readonly title: readonly DiffPart[];
  readonly excerpt: readonly DiffPart[];
  readonly body: readonly DiffPart[];
  /** Other fields that differ, with both values. */
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}

export function diffContents(before: PostContent, after: PostContent): ContentDiff {
  const diff = (key: "title" | "excerpt" | "body") => (before[key] === after[key] ? [] : wordDiff(before[key], after[key]));
  return { title: diff("title"), excerpt: diff("excerpt"), body: diff("body"), fields: otherFields(before, after) };
}

function otherFields(before: PostContent, after: PostContent): ContentDiff["fields"] {
  const keys = (Object.keys(after) as (keyof PostContent)[]).filter((key) => !["title", "excerpt", "body"].includes(key));
  return keys
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}
