import { getPostViews } from "./get-post-views.ts";
import { getTraffic } from "./get-traffic.ts";
import { getViewsOfPosts } from "./get-views-of-posts.ts";
import { getViews } from "./get-views.ts";

export const operations = {
  get_views: getViews,
  get_post_views: getPostViews,
  get_views_of_posts: getViewsOfPosts,
  get_traffic: getTraffic,
} as const;
