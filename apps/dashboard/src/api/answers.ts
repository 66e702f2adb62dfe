import type { Output } from "./wire.ts";

/** Parts of the server's answers that several files name. */
export type Website = Output<"get_website">;
export type FieldDefinition = Website["fieldDefinitions"][number];
export type ApiKey = Output<"list_keys">[number];
export type Term = Output<"list_terms">["items"][number];
export type MediaItem = Output<"list_media">["items"][number];
/** One page of a list of posts, as the cursor cuts it. */
export type PostListPage = Output<"list_posts">;
export type ListedPost = PostListPage["items"][number];
/** A version in the history of a post, without its text. */
export type RevisionSummary = Output<"list_revisions">["items"][number];
export type ToolCall = Output<"list_tool_calls">["items"][number];
export type Suggestion = Output<"list_suggestions">["items"][number];
