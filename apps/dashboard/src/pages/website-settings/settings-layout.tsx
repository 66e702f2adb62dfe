import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Permission } from "../../api/registry.ts";
import { RequirePermission } from "../../shell/require-permission.tsx";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { LinkTab, LinkTabs } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/s/$websiteId/settings", label: "General", permission: "website.manage" },
  { to: "/s/$websiteId/settings/fields", label: "Fields", permission: "website.manage" },
  { to: "/s/$websiteId/settings/keys", label: "API keys", permission: "key.manage" },
  { to: "/s/$websiteId/settings/webhooks", label: "Webhooks", permission: "webhook.manage" },
  { to: "/s/$websiteId/settings/database", label: "Content database", permission: "store.manage" },
  { to: "/s/$websiteId/settings/images", label: "Image storage", permission: "store.manage" },
  { to: "/s/$websiteId/settings/transfer", label: "Import and export", permission: "website.export" },
] as const satisfies readonly { to: string; label: string; permission: Permission }[];

/** The settings of a website side by side; each page is shown only to those who may use it. */
export function WebsiteSettingsLayout() {
  const { website, may } = useWebsiteContext();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const params = { websiteId: website.id };
  const tabs = TABS.filter(({ permission }) => may(permission));
  const isAt = ({ to }: (typeof TABS)[number]) => path.startsWith(to.replace("$websiteId", website.id));
  const here = TABS.findLast(isAt) ?? TABS[0];
  const bar = useRef<HTMLDivElement>(null);
  // On a phone the tabs scroll sideways: the one that is open must be among those seen.
  useEffect(() => {
    bar.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  return (
    <>
      {tabs.length > 0 && (
        <div ref={bar} className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-8">
          <LinkTabs label="Website settings">
            {tabs.map(({ to, label }) => (
              <LinkTab key={to} to={to} params={params} activeOptions={{ exact: to !== "/s/$websiteId/settings/webhooks" }}>
                {label}
              </LinkTab>
            ))}
          </LinkTabs>
        </div>
      )}
      <RequirePermission permission={here.permission}>
        <Outlet />
      </RequirePermission>
    </>
  );
}
