import type { PostStatus } from "@stet/contract";
import type { Input, Output } from "../../api/wire.ts";

export const TABS = ["all", "drafts", "scheduled", "published", "unpublished", "trash"] as const;
export type Tab = (typeof TABS)[number];

const STATUSES_OF: Readonly<Record<Tab, readonly PostStatus[]>> = {
  all: ["draft", "scheduled", "published", "unpublished"],
  drafts: ["draft"],
  scheduled: ["scheduled"],
  published: ["published"],
  unpublished: ["unpublished"],
  trash: ["deleted"],
};

export const SORTS = {
  "-editedAt": "Recently edited",
  editedAt: "Least recently edited",
  "-createdAt": "Newest",
  createdAt: "Oldest",
  title: "Title, A to Z",
  "-title": "Title, Z to A",
} as const satisfies Record<NonNullable<Input<"list_posts">["sort"]>, string>;
export type Sort = keyof typeof SORTS;

/** The filters of the posts page, as they are in its address. A missing key has its default. */
export interface PostsSearch {
  tab?: Tab;
  q?: string;
  category?: string;
  tag?: string;
  author?: string;
  /** The user id of the owner. */
  owner?: string;
  tool?: true;
  review?: true;
  changes?: true;
  sort?: Sort;
}

/** Reads the address, which anyone can edit: values that are not valid are left out. */
export function readPostsSearch(raw: Record<string, unknown>): PostsSearch {
  const id = (key: "category" | "tag" | "author" | "owner") => (typeof raw[key] === "string" && raw[key] ? { [key]: raw[key] } : {});
  const flag = (key: "tool" | "review" | "changes") => (raw[key] === true ? { [key]: true as const } : {});
  const { tab, q, sort } = raw;
  return {
    ...(TABS.includes(tab as Tab) && tab !== "all" && { tab: tab as Tab }),
    // A title such as 2026 arrives as a number.
    ...((typeof q === "string" || typeof q === "number") && String(q).trim() !== "" && { q: String(q).slice(0, 200) }),
    ...id("category"),
    ...id("tag"),
    ...id("author"),
    ...id("owner"),
    ...flag("tool"),
    ...flag("review"),
    ...flag("changes"),
    ...(typeof sort === "string" && Object.hasOwn(SORTS, sort) && sort !== "-editedAt" && { sort: sort as Sort }),
  };
}

const FILTERS = ["category", "tag", "author", "owner", "tool", "review", "changes"] as const satisfies readonly (keyof PostsSearch)[];

export const filterCount = (search: PostsSearch): number => FILTERS.filter((key) => search[key] !== undefined).length;

/** The same view without its filters and its search. */
export const withoutFilters = ({ tab, sort }: PostsSearch): PostsSearch => ({ ...(tab && { tab }), ...(sort && { sort }) });

export const countOf = (counts: Output<"count_posts">, tab: Tab): number =>
  STATUSES_OF[tab].reduce((sum, status) => sum + counts[status], 0);

export function listInput(websiteId: string, search: PostsSearch): Input<"list_posts"> {
  const { tab = "all", q, category, tag, author, owner, tool, review, changes, sort } = search;
  return {
    websiteId,
    statuses: [...STATUSES_OF[tab]],
    ...(q && { titleContains: q }),
    ...(category && { categoryId: category }),
    ...(tag && { tagId: tag }),
    ...(author && { authorId: author }),
    ...(owner && { ownerId: owner }),
    ...(tool && { editedByTool: true }),
    ...(review && { reviewRequested: true }),
    ...(changes && { hasUnpublishedChanges: true }),
    ...(sort && { sort }),
  };
}
