import { useNavigate } from "@tanstack/react-router";
import { LogOut, User } from "lucide-react";
import { useSession } from "../api/session.ts";
import { setTheme, type Theme, useTheme } from "../lib/theme.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { signOut } from "./sign-out.ts";

const THEMES: readonly { theme: Theme; label: string }[] = [
  { theme: "system", label: "System" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
];

export function AccountMenu() {
  const { user } = useSession();
  const theme = useTheme();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex h-11 w-full items-center gap-2.5 rounded-control px-2 text-left text-sm hover:bg-hover">
          <Avatar name={user.name || user.email} />
          <span className="sr-only">Your account: </span>
          <span className="min-w-0 flex-1 truncate">{user.name || user.email}</span>
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      <MenuItem onSelect={() => void navigate({ to: "/account" })}>
        <User aria-hidden />
        Account
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Appearance</MenuLabel>
      {THEMES.map(({ theme: each, label }) => (
        <MenuChoice key={each} chosen={theme === each} onSelect={() => setTheme(each)}>
          {label}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut(user.id)}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
