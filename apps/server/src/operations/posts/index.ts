import { publishPost } from "./publish-post.ts";

export const operations = { publish_post: publishPost } as const;
