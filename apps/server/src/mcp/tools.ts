import type { Connection } from "#domain/connection";
import { describeTool, type Tool } from "./tool.ts";
import { getContext } from "./tools/context.ts";
import { deleteMedia, deletePost, deleteTerm, restorePost } from "./tools/delete.ts";
import { getPost } from "./tools/get-post.ts";
import { listPosts, searchPosts } from "./tools/list-posts.ts";
import { getMedia, listMedia, updateMedia, uploadMedia } from "./tools/media.ts";
import { getStats, listWebhookDeliveries } from "./tools/numbers.ts";
import { previewPost, publishPost, schedulePost, unpublishPost } from "./tools/publish-posts.ts";
import { diffRevisions, listRevisions, restoreRevision } from "./tools/revisions.ts";
import { termTools } from "./tools/terms.ts";
import { createPost, editPostBody, updatePost } from "./tools/write-posts.ts";

/** Every tool there is, in the order in which a model reads them. */
export const TOOLS: readonly Tool[] = [
  getContext,
  listPosts,
  searchPosts,
  getPost,
  createPost,
  updatePost,
  editPostBody,
  previewPost,
  publishPost,
  schedulePost,
  unpublishPost,
  listRevisions,
  diffRevisions,
  restoreRevision,
  ...termTools,
  listMedia,
  getMedia,
  uploadMedia,
  updateMedia,
  getStats,
  listWebhookDeliveries,
  restorePost,
  deletePost,
  deleteMedia,
  deleteTerm,
];

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));
export const toolNamed = (name: string): Tool | undefined => BY_NAME.get(name);

const EVERYTHING = TOOLS.map(describeTool);
const WITHOUT_DELETING = TOOLS.filter(({ kind }) => kind !== "delete").map(describeTool);

/** The tools that a connection is shown. A tool that is not shown can be called all the same, and then says why it does nothing. */
export const toolsFor = ({ allowDelete }: Pick<Connection, "allowDelete">) => (allowDelete ? EVERYTHING : WITHOUT_DELETING);
