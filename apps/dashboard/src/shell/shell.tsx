import { Link, Outlet, useLocation } from "@tanstack/react-router";
import {
  Activity,
  ArrowLeft,
  Bot,
  Gauge,
  KeyRound,
  type LucideIcon,
  Menu as MenuIcon,
  MonitorSmartphone,
  SlidersHorizontal,
  User,
  Users,
} from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { usagePageName } from "../lib/plan-words.ts";
import { IconButton } from "../ui/button.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { CommandPalette, SearchButton } from "./command-palette.tsx";
import { NavLink, WebsiteNav } from "./nav.tsx";
import { StatusLine } from "./status-line.tsx";
import { Switcher } from "./switcher.tsx";
import { useWorkspaceContext } from "./website-context.ts";

/** The frame around the pages of a website. */
export function WebsiteShell() {
  return (
    <Frame top={<Switcher />} nav={<WebsiteNav />}>
      <Outlet />
    </Frame>
  );
}

/** Around the settings of a workspace. */
export function WorkspaceShell() {
  const { workspace, may } = useWorkspaceContext();
  const params = { workspaceId: workspace.id };
  return (
    <Frame
      top={<Switcher />}
      nav={
        <ul className="flex flex-col gap-0.5">
          <NavLink to="/w/$workspaceId" params={params} exact icon={SlidersHorizontal} label="Workspace" />
          <NavLink to="/w/$workspaceId/members" params={params} icon={Users} label="Members" />
          <NavLink to="/w/$workspaceId/plan" params={params} icon={Gauge} label={usagePageName(workspace.plan)} />
          <NavLink to="/w/$workspaceId/connected-apps" params={params} icon={Bot} label="Connected apps" />
          {may("activity.read") && <NavLink to="/w/$workspaceId/activity" params={params} icon={Activity} label="Activity" />}
        </ul>
      }
    >
      <Outlet />
    </Frame>
  );
}

const ACCOUNT: readonly { to: `/account${"" | "/security" | "/sessions" | "/connected-apps"}`; icon: LucideIcon; label: string }[] = [
  { to: "/account", icon: User, label: "Profile" },
  { to: "/account/security", icon: KeyRound, label: "Password and security" },
  { to: "/account/sessions", icon: MonitorSmartphone, label: "Sessions" },
  { to: "/account/connected-apps", icon: Bot, label: "Connected apps" },
];

/** Around one's own account, which belongs to no workspace. */
export function AccountShell() {
  return (
    <Frame
      top={
        <Link to="/" className="flex h-11 items-center gap-2 rounded-control px-2 text-sm font-medium hover:bg-hover">
          <ArrowLeft aria-hidden className="size-4" />
          Back to dashboard
        </Link>
      }
      nav={
        <ul className="flex flex-col gap-0.5">
          {ACCOUNT.map(({ to, icon, label }) => (
            <NavLink key={to} to={to} exact icon={icon} label={label} />
          ))}
        </ul>
      }
    >
      <Outlet />
    </Frame>
  );
}

/** A sidebar on large screens, a drawer on small ones, and the page beside it. */
function Frame({ top, nav, children }: { top: ReactNode; nav: ReactNode; children: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  // The drawer is open on the page where it was opened: it has done its work when one has arrived on another.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const open = openOn === path;
  const setOpen = (next: boolean) => setOpenOn(next ? path : null);
  const side = (
    <div className="flex h-full flex-col gap-3 p-3">
      {top}
      <SearchButton onOpen={() => setOpen(false)} />
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto">
        {nav}
      </nav>
      <StatusLine />
      <AccountMenu />
    </div>
  );
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-80 rounded-control bg-primary px-3 py-2 text-on-primary focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        className="sticky top-(--notice) hidden h-[calc(100dvh-var(--notice))] border-r border-line bg-sunken lg:block"
      >
        {side}
      </aside>
      <header className="sticky top-(--notice) z-30 flex h-13 items-center justify-between border-b border-line bg-bg/90 px-3 backdrop-blur lg:hidden">
        <Dialog.Root open={open} onOpenChange={setOpen}>
          <Dialog.Trigger asChild>
            <IconButton label="Open menu">
              <MenuIcon />
            </IconButton>
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay className="fixed inset-0 z-40 bg-overlay" />
            <Dialog.Content
              aria-describedby={undefined}
              // A link to the page that is open leads nowhere else, and has done its work all the same.
              onClick={({ target }) => target instanceof Element && target.closest("a") && setOpen(false)}
              className="fixed inset-y-0 left-0 z-50 w-[17rem] max-w-[86vw] border-r border-line bg-sunken shadow-raised outline-none"
            >
              <Dialog.Title className="sr-only">Menu</Dialog.Title>
              {side}
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
        <span className="font-serif text-lg font-medium">Stet</span>
        <SearchButton compact />
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        {children}
      </main>
      <CommandPalette />
    </div>
  );
}
