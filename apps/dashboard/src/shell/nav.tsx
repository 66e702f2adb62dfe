import { Link, type LinkProps } from "@tanstack/react-router";
import {
  CalendarDays,
  ChartLine,
  FileText,
  FolderOpen,
  Home,
  Image,
  Lightbulb,
  type LucideIcon,
  PenLine,
  Settings,
  Tag,
  Users,
} from "lucide-react";
import { plural } from "../lib/format.ts";
import { useOpenSuggestions } from "./suggestions/use-open-suggestions.ts";
import { useWebsiteContext } from "./website-context.ts";

export function NavLink({
  icon: Icon,
  label,
  exact = false,
  waiting = 0,
  ...link
}: {
  icon: LucideIcon;
  label: string;
  exact?: boolean;
  /** How much waits there for the person. */
  waiting?: number;
} & LinkProps) {
  return (
    <li>
      <Link
        {...link}
        activeOptions={{ exact, includeSearch: false }}
        className="flex h-9 items-center gap-2.5 rounded-control px-2.5 text-sm text-muted hover:bg-hover hover:text-text"
        activeProps={{ className: "bg-hover text-text! font-medium" }}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {label}
        {waiting > 0 && (
          <span className="ml-auto rounded-full bg-accent-soft px-1.5 text-xs font-medium text-accent tabular-nums">
            <span aria-hidden>{waiting > 99 ? "99+" : waiting}</span>
            <span className="sr-only">{plural(waiting, "waits", "wait")}</span>
          </span>
        )}
      </Link>
    </li>
  );
}

export function WebsiteNav() {
  const { website, workspace, may } = useWebsiteContext();
  const params = { websiteId: website.id };
  const suggestions = useOpenSuggestions();
  return (
    <ul className="flex flex-col gap-0.5">
      <NavLink to="/s/$websiteId" params={params} exact icon={Home} label="Home" />
      <NavLink to="/s/$websiteId/posts" params={params} icon={FileText} label="Posts" />
      <NavLink to="/s/$websiteId/calendar" params={params} icon={CalendarDays} label="Calendar" />
      {may("suggestion.decide") && (
        <NavLink to="/s/$websiteId/suggestions" params={params} icon={Lightbulb} label="Suggestions" waiting={suggestions} />
      )}
      <NavLink to="/s/$websiteId/media" params={params} icon={Image} label="Media" />
      <NavLink to="/s/$websiteId/categories" params={params} icon={FolderOpen} label="Categories" />
      <NavLink to="/s/$websiteId/tags" params={params} icon={Tag} label="Tags" />
      <NavLink to="/s/$websiteId/authors" params={params} icon={PenLine} label="Authors" />
      <NavLink to="/s/$websiteId/analytics" params={params} icon={ChartLine} label="Analytics" />
      {may("website.manage") && <NavLink to="/s/$websiteId/settings" params={params} icon={Settings} label="Website settings" />}
      {/* The one page of the workspace that people look for here: they invite others to write on a website. */}
      <NavLink to="/w/$workspaceId/members" params={{ workspaceId: workspace.id }} icon={Users} label="Members" />
    </ul>
  );
}
