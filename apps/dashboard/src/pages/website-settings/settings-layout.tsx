import { Outlet } from "@tanstack/react-router";

export function WebsiteSettingsLayout() {
  return <Outlet />;
}
