import { createRoute } from "@tanstack/react-router";
import { readEmailProof } from "../pages/profile/email-proof.ts";
import { AccountShell } from "../shell/shell.tsx";
import { lazyPage } from "./lazy-page.ts";
import { signedIn } from "./signed-in-route.ts";

const account = createRoute({ getParentRoute: () => signedIn, path: "/account", component: AccountShell });
const accountPages = [
  createRoute({
    getParentRoute: () => account,
    path: "/",
    component: lazyPage(() => import("../pages/profile/profile-page.tsx"), "ProfilePage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/security",
    component: lazyPage(() => import("../pages/security/security-page.tsx"), "SecurityPage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/sessions",
    component: lazyPage(() => import("../pages/sessions/sessions-page.tsx"), "SessionsPage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/connected-apps",
    component: lazyPage(() => import("../pages/connected-apps/own-connections-page.tsx"), "OwnConnectionsPage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/confirm-email",
    validateSearch: readEmailProof,
    component: lazyPage(() => import("../pages/profile/confirm-email-page.tsx"), "ConfirmEmailPage"),
  }),
] as const;

export const accountRoutes = account.addChildren(accountPages);
