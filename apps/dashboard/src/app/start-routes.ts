import { createRoute, redirect } from "@tanstack/react-router";
import { sessionOptions } from "../api/session.ts";
import { lastWebsite } from "../lib/last-website.ts";
import { lazyPage } from "./lazy-page.ts";
import { queryClient } from "./query-client.ts";
import { signedIn } from "./signed-in-route.ts";

/** Opens the website that the person used last, or the first that they can reach. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  async beforeLoad() {
    const session = await queryClient.ensureQueryData(sessionOptions);
    const websites = session?.workspaces.flatMap((workspace) => workspace.websites) ?? [];
    const website = websites.find(({ id }) => id === lastWebsite.get()) ?? websites[0];
    if (website) throw redirect({ to: "/s/$websiteId", params: { websiteId: website.id } });
    const workspace = session?.workspaces[0];
    if (workspace) throw redirect({ to: "/w/$workspaceId", params: { workspaceId: workspace.id } });
    throw redirect({ to: "/welcome" });
  },
});
/** For people who have no workspace, or want another one. */
const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: "/welcome",
  component: lazyPage(() => import("../pages/welcome/welcome-page.tsx"), "WelcomePage"),
});

export const startRoutes = [start, welcome] as const;
