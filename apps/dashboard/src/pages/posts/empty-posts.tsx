import { CalendarClock, CloudOff, FileText, Globe, type LucideIcon, PenLine, Plus, SearchX, Trash2 } from "lucide-react";
import { usePlace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { filterCount, type PostsSearch, type Tab } from "./posts-search.ts";

const EMPTY: Readonly<Record<Tab, { icon: LucideIcon; title: string; text: string; canWrite: boolean }>> = {
  all: { icon: FileText, title: "No posts yet", text: "Everything you write on this website stands here.", canWrite: true },
  drafts: { icon: PenLine, title: "No drafts", text: "What is begun and not published yet stands here.", canWrite: true },
  scheduled: {
    icon: CalendarClock,
    title: "Nothing is scheduled",
    text: "Schedule a post in the editor, and it publishes itself at that time.",
    canWrite: false,
  },
  published: { icon: Globe, title: "Nothing is published yet", text: "What readers can see stands here.", canWrite: true },
  unpublished: {
    icon: CloudOff,
    title: "Nothing was unpublished",
    text: "Posts that were taken off the website stand here until they are published again.",
    canWrite: false,
  },
  trash: { icon: Trash2, title: "The trash is empty", text: "Deleted posts stay here for 30 days and can be restored.", canWrite: false },
};

export function EmptyPosts({ search, onNew, onClear }: { search: PostsSearch; onNew: () => void; onClear: () => void }) {
  const { may } = usePlace();
  if (search.q || filterCount(search) > 0) {
    return (
      <EmptyState icon={SearchX} title="No post is like that" action={<Button onClick={onClear}>Clear search and filters</Button>}>
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
