import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { loadFiles } from "../api/load-files.ts";
import { installOptions, sessionOptions } from "../api/session.ts";
import { lastWebsite } from "../lib/last-website.ts";
import { isOwnPath, isServerPage } from "../lib/own-path.ts";
import { readEmailProof } from "../pages/account/email-proof.ts";
import { readPeriodSearch } from "../pages/analytics/period.ts";
import { readMonthSearch } from "../pages/posts/month.ts";
import { readPostsSearch } from "../pages/posts/posts-search.ts";
import { readTermsSearch } from "../pages/terms/terms-search.ts";
import { activityFilter } from "../pages/workspace/activity-filter.ts";
import { SignedInPlace, WebsitePlace, WorkspacePlace } from "../shell/place.tsx";
import { AccountShell, WebsiteShell, WorkspaceShell } from "../shell/shell.tsx";
import { NotFound, PageFailure } from "./fallbacks.tsx";
import { queryClient } from "./query-client.ts";
import { Loading } from "../ui/spinner.tsx";

/** A page comes when it is opened. Without a connection the one that is open stays: what was typed there is not thrown away by loading anew. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadFiles(load), name);

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

// Before signing in.

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readNext,
  // Whoever is signed in has nothing to do here.
  async beforeLoad({ search }) {
    const href = search.next ?? "/";
    if (await queryClient.ensureQueryData(sessionOptions)) throw redirect({ href, reloadDocument: isServerPage(href) });
  },
  component: lazyPage(() => import("../pages/auth/sign-in-page.tsx"), "SignInPage"),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: readNext,
  component: lazyPage(() => import("../pages/auth/sign-up-page.tsx"), "SignUpPage"),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  component: lazyPage(() => import("../pages/auth/forgot-password-page.tsx"), "ForgotPasswordPage"),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  validateSearch: (search): { token?: string } => (typeof search["token"] === "string" ? { token: search["token"] } : {}),
  component: lazyPage(() => import("../pages/auth/reset-password-page.tsx"), "ResetPasswordPage"),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitations/$token",
  validateSearch: (search): { mailed?: string } => (typeof search["mailed"] === "string" ? { mailed: search["mailed"] } : {}),
  component: lazyPage(() => import("../pages/auth/invitation-page.tsx"), "InvitationPage"),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup/$token",
  component: lazyPage(() => import("../pages/auth/setup-page.tsx"), "SetupPage"),
});

// Signed in.

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  async beforeLoad({ location }) {
    const session = await queryClient.ensureQueryData(sessionOptions);
    if (session) return;
    const { needsSetup } = await queryClient.ensureQueryData(installOptions);
    throw redirect({ to: "/sign-in", search: needsSetup || location.href === "/" ? {} : { next: location.href } });
  },
  component: SignedInPlace,
});

/** Where a person begins: the website they were on last, or the first they can reach. */
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
/** For people without a workspace, and for whoever wants another one. */
const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: "/welcome",
  component: lazyPage(() => import("../pages/auth/welcome-page.tsx"), "WelcomePage"),
});

const website = createRoute({ getParentRoute: () => signedIn, path: "/s/$websiteId", component: WebsitePlace });
const websiteShell = createRoute({ getParentRoute: () => website, id: "shell", component: WebsiteShell });
const home = createRoute({
  getParentRoute: () => websiteShell,
  path: "/",
  component: lazyPage(() => import("../pages/home/home-page.tsx"), "HomePage"),
});
const connect = createRoute({
  getParentRoute: () => websiteShell,
  path: "/connect",
  component: lazyPage(() => import("../pages/auth/connect-page.tsx"), "ConnectPage"),
});
const posts = createRoute({
  getParentRoute: () => websiteShell,
  path: "/posts",
  validateSearch: readPostsSearch,
  component: lazyPage(() => import("../pages/posts/posts-page.tsx"), "PostsPage"),
});
const calendar = createRoute({
  getParentRoute: () => websiteShell,
  path: "/calendar",
  validateSearch: readMonthSearch,
  component: lazyPage(() => import("../pages/posts/calendar-page.tsx"), "CalendarPage"),
});
/** Without the sidebar: the page belongs to the text. */
const editor = createRoute({
  getParentRoute: () => website,
  path: "/posts/$postId",
  component: lazyPage(() => import("../pages/editor/editor-page.tsx"), "EditorPage"),
});
const media = createRoute({
  getParentRoute: () => websiteShell,
  path: "/media",
  component: lazyPage(() => import("../pages/media/media-page.tsx"), "MediaPage"),
});
const categories = createRoute({
  getParentRoute: () => websiteShell,
  path: "/categories",
  validateSearch: readTermsSearch,
  component: lazyPage(() => import("../pages/terms/categories-page.tsx"), "CategoriesPage"),
});
const tags = createRoute({
  getParentRoute: () => websiteShell,
  path: "/tags",
  validateSearch: readTermsSearch,
  component: lazyPage(() => import("../pages/terms/tags-page.tsx"), "TagsPage"),
});
const authors = createRoute({
  getParentRoute: () => websiteShell,
  path: "/authors",
  validateSearch: readTermsSearch,
  component: lazyPage(() => import("../pages/terms/authors-page.tsx"), "AuthorsPage"),
});
const analytics = createRoute({
  getParentRoute: () => websiteShell,
  path: "/analytics",
  validateSearch: readPeriodSearch,
  component: lazyPage(() => import("../pages/analytics/analytics-page.tsx"), "AnalyticsPage"),
});

const websiteSettings = createRoute({
  getParentRoute: () => websiteShell,
  path: "/settings",
  component: lazyPage(() => import("../pages/website-settings/settings-layout.tsx"), "WebsiteSettingsLayout"),
});
const websiteSettingsPages = [
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/",
    component: lazyPage(() => import("../pages/website-settings/general-page.tsx"), "GeneralPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/fields",
    component: lazyPage(() => import("../pages/website-settings/fields-page.tsx"), "FieldsPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/keys",
    component: lazyPage(() => import("../pages/website-settings/keys-page.tsx"), "KeysPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/webhooks",
    component: lazyPage(() => import("../pages/webhooks/webhooks-page.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/webhooks/$webhookId",
    component: lazyPage(() => import("../pages/webhooks/webhook-page.tsx"), "WebhookPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/database",
    component: lazyPage(() => import("../pages/website-settings/database-page.tsx"), "DatabasePage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/images",
    component: lazyPage(() => import("../pages/website-settings/images-page.tsx"), "ImagesPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/transfer",
    component: lazyPage(() => import("../pages/website-settings/transfer-page.tsx"), "TransferPage"),
  }),
] as const;

const workspace = createRoute({ getParentRoute: () => signedIn, path: "/w/$workspaceId", component: WorkspacePlace });
const workspaceShell = createRoute({ getParentRoute: () => workspace, id: "shell", component: WorkspaceShell });
const workspacePages = [
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/",
    component: lazyPage(() => import("../pages/workspace/general-page.tsx"), "WorkspaceGeneralPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/members",
    component: lazyPage(() => import("../pages/workspace/members-page.tsx"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/plan",
    component: lazyPage(() => import("../pages/workspace/plan-page.tsx"), "PlanPage"),
  }),
  createRoute({
    getParentRoute: () => workspaceShell,
    path: "/activity",
    validateSearch: activityFilter,
    component: lazyPage(() => import("../pages/workspace/activity-page.tsx"), "ActivityPage"),
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

const account = createRoute({ getParentRoute: () => signedIn, path: "/account", component: AccountShell });
const accountPages = [
  createRoute({
    getParentRoute: () => account,
    path: "/",
    component: lazyPage(() => import("../pages/account/profile-page.tsx"), "ProfilePage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/security",
    component: lazyPage(() => import("../pages/account/security-page.tsx"), "SecurityPage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/sessions",
    component: lazyPage(() => import("../pages/account/sessions-page.tsx"), "SessionsPage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/connected-apps",
    component: lazyPage(() => import("../pages/account/own-connections-page.tsx"), "OwnConnectionsPage"),
  }),
  createRoute({
    getParentRoute: () => account,
    path: "/confirm-email",
    validateSearch: readEmailProof,
    component: lazyPage(() => import("../pages/account/confirm-email-page.tsx"), "ConfirmEmailPage"),
  }),
] as const;

const tree = root.addChildren([
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  invitation,
  setup,
  signedIn.addChildren([
    start,
    welcome,
    website.addChildren([
      websiteShell.addChildren([
        home,
        connect,
        posts,
        calendar,
        media,
        categories,
        tags,
        authors,
        analytics,
        websiteSettings.addChildren(websiteSettingsPages),
      ]),
      editor,
    ]),
    workspace.addChildren([workspaceShell.addChildren(workspacePages)]),
    account.addChildren(accountPages),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
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

/** Where somebody wanted to go when they were asked to sign in. What is left out here would be taken from the address as it is. */
function readNext(search: Record<string, unknown>): { next?: string | undefined } {
  return { next: isOwnPath(search["next"]) ? search["next"] : undefined };
}
