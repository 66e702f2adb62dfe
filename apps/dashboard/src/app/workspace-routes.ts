import { createRoute } from "@tanstack/react-router";
import { activityFilter } from "../pages/activity/activity-filter.ts";
import { WorkspaceLayout } from "../shell/layouts.tsx";
import { WorkspaceShell } from "../shell/shell.tsx";
import { lazyPage } from "./lazy-page.ts";
import { signedIn } from "./signed-in-route.ts";

const workspace = createRoute({ getParentRoute: () => signedIn, path: "/w/$workspaceId", component: WorkspaceLayout });
const workspaceShell = createRoute({ getParentRoute: () => workspace, id: "shell", component: WorkspaceShell });
const workspacePages = [
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/",
    component: lazyPage(() => import("../pages/workspace-settings/general-page.tsx"), "WorkspaceGeneralPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/members",
    component: lazyPage(() => import("../pages/members/members-page.tsx"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/plan",
    component: lazyPage(() => import("../pages/plan/plan-page.tsx"), "PlanPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/activity",
    validateSearch: activityFilter,
    component: lazyPage(() => import("../pages/activity/activity-page.tsx"), "ActivityPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/connected-apps",
    component: lazyPage(() => import("../pages/connected-apps/connected-apps-page.tsx"), "ConnectedAppsPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/connected-apps/$connectionId",
    component: lazyPage(() => import("../pages/connected-apps/connection-page.tsx"), "ConnectionPage"),
  }),
] as const;

export const workspaceRoutes = workspace.addChildren([workspaceShell.addChildren(workspacePages)]);
