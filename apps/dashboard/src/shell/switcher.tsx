import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, Plus, Settings2 } from "lucide-react";
import { Fragment } from "react";
import { useSession } from "../api/session.ts";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { useAnyPlace } from "./place.tsx";

/** Which workspace and website one is in, and the way to the others. */
export function Switcher() {
  const session = useSession();
  const { workspace, website } = useAnyPlace();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex h-12 w-full items-center gap-2.5 rounded-control px-2 text-left hover:bg-hover">
          <Mark />
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

/** The editor's mark: dots below a line, "let it stand". */
export function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-8 shrink-0 rounded-lg bg-primary">
      <path d="M8 12.5h16" className="stroke-on-primary" strokeWidth="3.2" strokeLinecap="round" />
      <g className="fill-accent">
        <circle cx="9.5" cy="20.5" r="2.1" />
        <circle cx="16" cy="20.5" r="2.1" />
        <circle cx="22.5" cy="20.5" r="2.1" />
      </g>
    </svg>
  );
}
