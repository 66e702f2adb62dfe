import { createRoute } from "@tanstack/react-router";
import { readPeriodSearch } from "../pages/analytics/period.ts";
import { readMonthSearch } from "../pages/calendar/month.ts";
import { readSuggestionsSearch } from "../pages/suggestions/suggestions-search.ts";
import { readPostsSearch } from "../pages/posts/posts-search.ts";
import { readTermsSearch } from "../pages/terms/terms-search.ts";
import { WebsiteLayout } from "../shell/layouts.tsx";
import { WebsiteShell } from "../shell/shell.tsx";
import { lazyPage } from "./lazy-page.ts";
import { signedIn } from "./signed-in-route.ts";

const website = createRoute({ getParentRoute: () => signedIn, path: "/s/$websiteId", component: WebsiteLayout });
const websiteShell = createRoute({ getParentRoute: () => website, id: "shell", component: WebsiteShell });
const home = createRoute({
  getParentRoute: () => websiteShell,
  path: "/",
  component: lazyPage(() => import("../pages/home/home-page.tsx"), "HomePage"),
});
const connect = createRoute({
  getParentRoute: () => websiteShell,
  path: "/connect",
  component: lazyPage(() => import("../pages/connect/connect-page.tsx"), "ConnectPage"),
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
  component: lazyPage(() => import("../pages/calendar/calendar-page.tsx"), "CalendarPage"),
});
const suggestions = createRoute({
  getParentRoute: () => websiteShell,
  path: "/suggestions",
  validateSearch: readSuggestionsSearch,
  component: lazyPage(() => import("../pages/suggestions/suggestions-page.tsx"), "SuggestionsPage"),
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
    component: lazyPage(() => import("../pages/custom-fields/fields-page.tsx"), "FieldsPage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/keys",
    component: lazyPage(() => import("../pages/api-keys/keys-page.tsx"), "KeysPage"),
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
    component: lazyPage(() => import("../pages/content-database/content-database-page.tsx"), "ContentDatabasePage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/images",
    component: lazyPage(() => import("../pages/image-storage/image-storage-page.tsx"), "ImageStoragePage"),
  }),
  createRoute({
    getParentRoute: () => websiteSettings,
    path: "/transfer",
    component: lazyPage(() => import("../pages/import-export/import-export-page.tsx"), "TransferPage"),
  }),
] as const;

export const websiteRoutes = website.addChildren([
  websiteShell.addChildren([
    home,
    connect,
    posts,
    calendar,
    suggestions,
    media,
    categories,
    tags,
    authors,
    analytics,
    websiteSettings.addChildren(websiteSettingsPages),
  ]),
  editor,
]);
