import { useOp } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { LinkTab, LinkTabs } from "../../ui/tabs.tsx";
import { countOf, type PostsSearch, type Tab, TABS } from "./posts-search.ts";

const LABELS: Readonly<Record<Tab, string>> = {
  all: "All",
  drafts: "Drafts",
  scheduled: "Scheduled",
  published: "Published",
  unpublished: "Unpublished",
  trash: "Trash",
};

/** Search and sorting are kept from tab to tab. */
export function PostTabs({ search }: { search: PostsSearch }) {
  const { website } = useWebsiteContext();
  const counts = useOp("count_posts", { websiteId: website.id });
  const { tab: _, ...rest } = search;
  return (
    <LinkTabs label="Posts by state">
      {TABS.map((tab) => (
        <LinkTab
          key={tab}
          to="/s/$websiteId/posts"
          params={{ websiteId: website.id }}
          search={tab === "all" ? rest : { ...rest, tab }}
          count={counts.data && countOf(counts.data, tab)}
        >
          {LABELS[tab]}
        </LinkTab>
      ))}
    </LinkTabs>
  );
}
