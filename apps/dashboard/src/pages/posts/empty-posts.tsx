import { CalendarClock, CloudOff, FileText, Globe, type LucideIcon, PenLine, Plus, SearchX, Trash2 } from "lucide-react";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { filterCount, type PostsSearch, type Tab } from "./posts-search.ts";

const EMPTY: Readonly<Record<Tab, { icon: LucideIcon; title: string; text: string; canWrite: boolean }>> = {
  all: { icon: FileText, title: "No posts yet", text: "Posts you write appear here.", canWrite: true },
  drafts: { icon: PenLine, title: "No drafts", text: "Posts you start appear here until you publish them.", canWrite: true },
  scheduled: {
    icon: CalendarClock,
    title: "No scheduled posts",
    text: "Schedule a post in the editor to publish it later.",
    canWrite: false,
  },
  published: { icon: Globe, title: "No published posts", text: "Posts that readers can see appear here.", canWrite: true },
  unpublished: {
    icon: CloudOff,
    title: "No unpublished posts",
    text: "Posts you take off the website appear here until you publish them again.",
    canWrite: false,
  },
  trash: { icon: Trash2, title: "The trash is empty", text: "Deleted posts stay here for 30 days and can be restored.", canWrite: false },
};

export function EmptyPosts({ search, onNew, onClear }: { search: PostsSearch; onNew: () => void; onClear: () => void }) {
  const { may } = useWebsiteContext();
  if (search.q || filterCount(search) > 0) {
    return (
      <EmptyState icon={SearchX} title="No matching posts" action={<Button onClick={onClear}>Clear search and filters</Button>}>
        {search.q ? `No title contains “${search.q}”${filterCount(search) > 0 ? " with these filters" : ""}.` : "Try fewer filters."}
      </EmptyState>
    );
  }
  const { icon, title, text, canWrite } = EMPTY[search.tab ?? "all"];
  return (
    <EmptyState
      icon={icon}
      title={title}
      {...(canWrite &&
        may("post.create") && {
          action: (
            <Button variant="primary" onClick={onNew}>
              <Plus aria-hidden /> Write a post
            </Button>
          ),
        })}
    >
      {text}
    </EmptyState>
  );
}
