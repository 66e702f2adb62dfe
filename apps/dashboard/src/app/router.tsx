import { createRouter } from "@tanstack/react-router";
import { NotFound } from "../ui/not-found.tsx";
import { Loading } from "../ui/spinner.tsx";
import { accountRoutes } from "./account-routes.ts";
import { openRoutes } from "./open-routes.ts";
import { PageFailure } from "./page-failure.tsx";
import { root } from "./root-route.tsx";
import { signedIn } from "./signed-in-route.ts";
import { startRoutes } from "./start-routes.ts";
import { websiteRoutes } from "./website-routes.ts";
import { workspaceRoutes } from "./workspace-routes.ts";

const routeTree = root.addChildren([...openRoutes, signedIn.addChildren([...startRoutes, websiteRoutes, workspaceRoutes, accountRoutes])]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultPendingMs: 300,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
