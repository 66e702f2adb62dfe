import type { OperationName } from "../../api/wire.ts";

/** Answers that show something of a post's state. */
export const STALE_AFTER_ACTIONS: readonly OperationName[] = [
  "list_posts",
  "count_posts",
  "list_calendar",
  "get_home",
  "list_revisions",
  "check_post",
];
