import { createRoute, redirect } from "@tanstack/react-router";
import { sessionOptions } from "../api/session.ts";
import { isOwnPath, isServerPage } from "../lib/own-path.ts";
import { lazyPage } from "./lazy-page.ts";
import { queryClient } from "./query-client.ts";
import { root } from "./root-route.tsx";

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readNext,
  // A signed-in person has nothing to do here.
  async beforeLoad({ search }) {
    const href = search.next ?? "/";
    if (await queryClient.ensureQueryData(sessionOptions)) throw redirect({ href, reloadDocument: isServerPage(href) });
  },
  component: lazyPage(() => import("../pages/sign-in/sign-in-page.tsx"), "SignInPage"),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: readNext,
  component: lazyPage(() => import("../pages/sign-up/sign-up-page.tsx"), "SignUpPage"),
});
const finishSignUp = createRoute({
  getParentRoute: () => root,
  path: "/finish-sign-up",
  validateSearch: (search): { email?: string; token?: string } => ({
    ...(typeof search["email"] === "string" && { email: search["email"] }),
    ...(typeof search["token"] === "string" && { token: search["token"] }),
  }),
  component: lazyPage(() => import("../pages/sign-up/finish-sign-up-page.tsx"), "FinishSignUpPage"),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  component: lazyPage(() => import("../pages/password-reset/forgot-password-page.tsx"), "ForgotPasswordPage"),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  validateSearch: (search): { token?: string } => (typeof search["token"] === "string" ? { token: search["token"] } : {}),
  component: lazyPage(() => import("../pages/password-reset/reset-password-page.tsx"), "ResetPasswordPage"),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitations/$token",
  validateSearch: (search): { mailed?: string } => (typeof search["mailed"] === "string" ? { mailed: search["mailed"] } : {}),
  component: lazyPage(() => import("../pages/invitation/invitation-page.tsx"), "InvitationPage"),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup/$token",
  component: lazyPage(() => import("../pages/setup/setup-page.tsx"), "SetupPage"),
});

/** Pages that need no sign-in. */
export const openRoutes = [signIn, signUp, finishSignUp, forgotPassword, resetPassword, invitation, setup] as const;

/** The page that a person wanted to open when they were asked to sign in. A key that is missing here would be taken from the address unchecked. */
function readNext(search: Record<string, unknown>): { next?: string | undefined } {
  return { next: isOwnPath(search["next"]) ? search["next"] : undefined };
}
