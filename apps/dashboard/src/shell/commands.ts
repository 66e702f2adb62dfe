import { useNavigate } from "@tanstack/react-router";
import {
  Activity,
  ArrowLeftRight,
  Bot,
  CalendarDays,
  ChartLine,
  Database,
  FileText,
  FolderOpen,
  Gauge,
  Globe,
  Home,
  Image,
  Images,
  KeyRound,
  Lightbulb,
  ListPlus,
  LogOut,
  type LucideIcon,
  Moon,
  PenLine,
  Plus,
  Settings,
  SlidersHorizontal,
  Sun,
  Tag,
  User,
  Users,
  Webhook,
} from "lucide-react";
import { useSession } from "../api/session.ts";
import { usagePageName } from "../lib/plan-words.ts";
import { setTheme } from "../lib/theme.ts";
import { useNewPost } from "./new-post.ts";
import { signOut } from "./sign-out.ts";
import { useOptionalContext } from "./website-context.ts";

interface PaletteCommand {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly PaletteCommand[];
}

type WebsitePath =
  `/s/$websiteId${"" | "/posts" | "/calendar" | "/suggestions" | "/media" | "/categories" | "/tags" | "/authors" | "/analytics" | "/settings" | "/settings/fields" | "/settings/keys" | "/settings/webhooks" | "/settings/database" | "/settings/images" | "/settings/transfer"}`;

/** The commands that ⌘K offers on this page, within the person's permissions. */
export function useCommands(): readonly CommandGroup[] {
  const session = useSession();
  const { workspace, website } = useOptionalContext();
  const navigate = useNavigate();
  const newPost = useNewPost();
  const groups: { heading: string; commands: PaletteCommand[] }[] = [];

  if (website) {
    const params = { websiteId: website.website.id };
    const go = (label: string, Icon: LucideIcon, to: WebsitePath): PaletteCommand => ({
      label,
      Icon,
      run: () => void navigate({ to, params }),
    });
    groups.push({
      heading: "Write",
      commands: website.may("post.create") ? [{ label: "New post", Icon: Plus, run: () => void newPost() }] : [],
    });
    groups.push({
      heading: "Go to",
      commands: [
        go("Home", Home, "/s/$websiteId"),
        go("Posts", FileText, "/s/$websiteId/posts"),
        go("Calendar", CalendarDays, "/s/$websiteId/calendar"),
        ...(website.may("suggestion.decide") ? [go("Suggestions", Lightbulb, "/s/$websiteId/suggestions")] : []),
        go("Media", Image, "/s/$websiteId/media"),
        go("Categories", FolderOpen, "/s/$websiteId/categories"),
        go("Tags", Tag, "/s/$websiteId/tags"),
        go("Authors", PenLine, "/s/$websiteId/authors"),
        go("Analytics", ChartLine, "/s/$websiteId/analytics"),
        ...(website.may("website.manage")
          ? [
              go("Website settings", Settings, "/s/$websiteId/settings"),
              go("Custom fields", ListPlus, "/s/$websiteId/settings/fields"),
              go("API keys", KeyRound, "/s/$websiteId/settings/keys"),
              go("Webhooks", Webhook, "/s/$websiteId/settings/webhooks"),
              go("Content database", Database, "/s/$websiteId/settings/database"),
              go("Image storage", Images, "/s/$websiteId/settings/images"),
              go("Import and export", ArrowLeftRight, "/s/$websiteId/settings/transfer"),
            ]
          : []),
      ],
    });
  }
  if (workspace) {
    const params = { workspaceId: workspace.workspace.id };
    groups.push({
      heading: "Workspace",
      commands: [
        { label: "Workspace settings", Icon: SlidersHorizontal, run: () => void navigate({ to: "/w/$workspaceId", params }) },
        { label: "Members", Icon: Users, run: () => void navigate({ to: "/w/$workspaceId/members", params }) },
        { label: usagePageName(workspace.workspace.plan), Icon: Gauge, run: () => void navigate({ to: "/w/$workspaceId/plan", params }) },
        { label: "Connected apps", Icon: Bot, run: () => void navigate({ to: "/w/$workspaceId/connected-apps", params }) },
        ...(workspace.may("activity.read")
          ? [{ label: "Activity", Icon: Activity, run: () => void navigate({ to: "/w/$workspaceId/activity", params }) }]
          : []),
      ],
    });
  }
  groups.push({
    heading: "Switch to",
    commands: session.workspaces.flatMap((each) =>
      each.websites
        .filter(({ id }) => id !== website?.website.id)
        .map(({ id, name }) => ({
          label: name,
          Icon: Globe,
          run: () => void navigate({ to: "/s/$websiteId", params: { websiteId: id } }),
        })),
    ),
  });
  groups.push({
    heading: "You",
    commands: [
      { label: "Account", Icon: User, run: () => void navigate({ to: "/account" }) },
      { label: "Use light theme", Icon: Sun, run: () => setTheme("light") },
      { label: "Use dark theme", Icon: Moon, run: () => setTheme("dark") },
      { label: "Sign out", Icon: LogOut, run: () => void signOut(session.user.id) },
    ],
  });
  return groups.filter(({ commands }) => commands.length > 0);
}
