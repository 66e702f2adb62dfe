import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, Plus, Settings2 } from "lucide-react";
import { Fragment } from "react";
import { useSession } from "../api/session.ts";
import { Logo } from "../ui/logo.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { useOptionalContext } from "./website-context.ts";

/** Shows the current workspace and website, and switches to others. */
export function Switcher() {
  const session = useSession();
  const { workspace, website } = useOptionalContext();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex h-12 w-full items-center gap-2.5 rounded-control px-2 text-left hover:bg-hover">
          <Logo />
          <span className="sr-only">Switch website or workspace: </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-semibold">{website?.website.name ?? workspace?.workspace.name ?? "Stet"}</span>
            <span className="block truncate text-xs text-muted">{website ? workspace?.workspace.name : "Workspace settings"}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      {session.workspaces.map((each) => (
        <Fragment key={each.id}>
          <MenuLabel>{each.name}</MenuLabel>
          {each.websites.map(({ id, name }) => (
            <MenuChoice
              key={id}
              chosen={id === website?.website.id}
              onSelect={() => void navigate({ to: "/s/$websiteId", params: { websiteId: id } })}
            >
              {name}
            </MenuChoice>
          ))}
          <MenuItem onSelect={() => void navigate({ to: "/w/$workspaceId", params: { workspaceId: each.id } })}>
            <Settings2 aria-hidden />
            <span className="truncate">Settings of {each.name}</span>
          </MenuItem>
          <MenuSeparator />
        </Fragment>
      ))}
      <MenuItem onSelect={() => void navigate({ to: "/welcome" })}>
        <Plus aria-hidden />
        New workspace or website
      </MenuItem>
    </Menu>
  );
}
