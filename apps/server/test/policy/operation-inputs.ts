import type { OperationName } from "#operations/registry";

/** The workspace and the website that a call names. */
export interface TenantIds {
  readonly workspaceId: string;
  readonly websiteId: string;
}

/** One of everything else that has an id, in that website. */
export interface Things {
  readonly postId: string;
  readonly revisionId: string;
  readonly categoryId: string;
  readonly otherCategoryId: string;
  readonly mediaId: string;
  readonly keyId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly userId: string;
  readonly connectionId: string;
  readonly suggestionId: string;
  readonly invitationId: string;
  readonly invitationToken: string;
  readonly workspaceName: string;
  readonly websiteName: string;
}

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64");

const A_DAY = { since: "2026-01-01T00:00:00.000Z", until: "2026-01-02T00:00:00.000Z" };

/**
 * A valid input for every operation there is: a new operation does not compile until it has one here, and then the tests of
 * policy and tenancy call it.
 */
export const INPUTS: Record<OperationName, (ids: TenantIds, things: Things) => Record<string, unknown>> = {
  create_account: () => ({ email: "new@example.com", name: "New", password: "correct horse battery" }),
  get_account: () => ({}),
  change_email: () => ({ email: "other@example.com", password: "not it" }),
  confirm_email: () => ({ email: "other@example.com", token: "x".repeat(43) }),
  send_email_proof: () => ({}),
  create_workspace: () => ({ name: "Another" }),
  list_workspaces: () => ({}),
  get_workspace: ({ workspaceId }) => ({ workspaceId }),
  rename_workspace: ({ workspaceId }) => ({ workspaceId, name: "Renamed" }),
  delete_workspace: ({ workspaceId }, { workspaceName }) => ({ workspaceId, confirmName: workspaceName }),
  transfer_ownership: ({ workspaceId }, { userId }) => ({ workspaceId, userId }),
  list_activity: ({ workspaceId }) => ({ workspaceId }),
  list_members: ({ workspaceId }) => ({ workspaceId }),
  invite_member: ({ workspaceId }) => ({ workspaceId, email: "guest@example.com", role: "editor" }),
  list_invitations: ({ workspaceId }) => ({ workspaceId }),
  revoke_invitation: ({ workspaceId }, { invitationId }) => ({ workspaceId, invitationId }),
  accept_invitation: (_, { invitationToken }) => ({ token: invitationToken }),
  change_role: ({ workspaceId }, { userId }) => ({ workspaceId, userId, role: "editor" }),
  remove_member: ({ workspaceId }, { userId }) => ({ workspaceId, userId }),
  leave_workspace: ({ workspaceId }) => ({ workspaceId }),
  create_ci_credential: ({ workspaceId }) => ({ name: "Nightly build", workspaces: workspaceId, password: "not it" }),
  connect_tool: ({ workspaceId }) => ({
    kind: "ai",
    client: { id: "client", name: "Claude", host: null, redirectHost: "claude.example" },
    workspaces: workspaceId,
    allowDelete: false,
  }),
  list_connections: ({ workspaceId }) => ({ workspaceId }),
  change_connection: ({ workspaceId }, { connectionId }) => ({ workspaceId, connectionId, allowDelete: false }),
  list_left_connections: () => ({}),
  disconnect_left: (_, { connectionId }) => ({ connectionId }),
  disconnect: ({ workspaceId }, { connectionId }) => ({ workspaceId, connectionId }),
  list_tool_calls: ({ workspaceId }, { connectionId }) => ({ workspaceId, connectionId }),
  preview_undo: ({ workspaceId }, { connectionId }) => ({ workspaceId, connectionId, since: "2026-01-01T00:00:00.000Z" }),
  undo_connection: ({ workspaceId }, { connectionId }) => ({ workspaceId, connectionId, ...A_DAY }),
  undo_post: ({ websiteId }, { postId, connectionId }) => ({ websiteId, postId, connectionId, ...A_DAY, expectedVersion: 1 }),
  undo_thing: ({ websiteId }, { categoryId, connectionId }) => ({ websiteId, thingId: categoryId, connectionId, ...A_DAY }),
  list_suggestions: ({ websiteId }) => ({ websiteId }),
  count_suggestions: ({ websiteId }) => ({ websiteId }),
  get_suggestion: ({ websiteId }, { suggestionId }) => ({ websiteId, suggestionId }),
  accept_suggestion: ({ websiteId }, { suggestionId }) => ({ websiteId, suggestionId }),
  reject_suggestion: ({ websiteId }, { suggestionId }) => ({ websiteId, suggestionId }),
  reopen_suggestion: ({ websiteId }, { suggestionId }) => ({ websiteId, suggestionId }),
  create_website: ({ workspaceId }) => ({ workspaceId, name: "Second" }),
  list_websites: ({ workspaceId }) => ({ workspaceId }),
  get_website: ({ websiteId }) => ({ websiteId }),
  update_website: ({ websiteId }) => ({ websiteId, expectedVersion: 1, name: "Renamed" }),
  set_field_definitions: ({ websiteId }) => ({ websiteId, expectedVersion: 1, fieldDefinitions: [] }),
  delete_website: ({ websiteId }, { websiteName }) => ({ websiteId, confirmName: websiteName }),
  export_website: ({ websiteId }) => ({ websiteId }),
  import_website: ({ websiteId }) => ({ websiteId, source: noLines() }),
  seed_website: ({ websiteId }) => ({ websiteId, posts: 1 }),
  get_usage: ({ workspaceId }) => ({ workspaceId }),
  list_plans: ({ workspaceId }) => ({ workspaceId }),
  list_roles: ({ workspaceId }) => ({ workspaceId }),
  change_plan: ({ workspaceId }) => ({ workspaceId, plan: "team" }),
  create_key: ({ websiteId }) => ({ websiteId, name: "Key" }),
  list_keys: ({ websiteId }) => ({ websiteId }),
  update_key: ({ websiteId }, { keyId }) => ({ websiteId, keyId, name: "Renamed", origins: [], monthlyCap: null }),
  revoke_key: ({ websiteId }, { keyId }) => ({ websiteId, keyId }),
  create_webhook: ({ websiteId }) => ({ websiteId, url: "https://hooks.example.com/stet" }),
  list_webhooks: ({ websiteId }) => ({ websiteId }),
  update_webhook: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId, events: ["post.deleted"] }),
  pause_webhook: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId }),
  resume_webhook: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId, resend: true }),
  roll_webhook_secret: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId }),
  delete_webhook: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId }),
  test_webhook: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId }),
  list_events: ({ websiteId }) => ({ websiteId }),
  list_deliveries: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId }),
  get_delivery: ({ websiteId }, { deliveryId }) => ({ websiteId, deliveryId }),
  resend_delivery: ({ websiteId }, { deliveryId }) => ({ websiteId, deliveryId }),
  resend_failed: ({ websiteId }, { webhookId }) => ({ websiteId, webhookId, since: "2026-01-01T00:00:00.000Z" }),
  list_posts: ({ websiteId }) => ({ websiteId }),
  list_post_heads: ({ websiteId }) => ({ websiteId }),
  search_posts: ({ websiteId }) => ({ websiteId, text: "post" }),
  count_posts: ({ websiteId }) => ({ websiteId }),
  find_post: ({ websiteId }) => ({ websiteId, slug: "post" }),
  get_post: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  get_post_with_terms: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  create_post: ({ websiteId }, { categoryId, mediaId }) => ({ websiteId, title: "New", categoryIds: [categoryId], coverMediaId: mediaId }),
  edit_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1, title: "Changed" }),
  duplicate_post: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  publish_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  update_live_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  schedule_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1, at: "2030-01-01T00:00:00.000Z" }),
  unpublish_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  delete_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  restore_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  purge_post: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  request_review: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  end_review: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  discard_changes: ({ websiteId }, { postId }) => ({ websiteId, postId, expectedVersion: 1 }),
  list_revisions: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  get_revision: ({ websiteId }, { postId, revisionId }) => ({ websiteId, postId, revisionId }),
  diff_revisions: ({ websiteId }, { postId, revisionId }) => ({ websiteId, postId, fromRevisionId: revisionId }),
  list_tool_changes: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  restore_revision: ({ websiteId }, { postId, revisionId }) => ({ websiteId, postId, revisionId, expectedVersion: 1 }),
  create_preview: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  list_terms: ({ websiteId }) => ({ websiteId, kind: "category" }),
  get_term: ({ websiteId }, { categoryId }) => ({ websiteId, termId: categoryId }),
  create_term: ({ websiteId }) => ({ websiteId, kind: "tag", name: "New" }),
  edit_term: ({ websiteId }, { categoryId }) => ({ websiteId, termId: categoryId, expectedVersion: 1, name: "Changed" }),
  merge_terms: ({ websiteId }, { categoryId, otherCategoryId }) => ({ websiteId, sourceId: categoryId, targetId: otherCategoryId }),
  delete_term: ({ websiteId }, { categoryId }) => ({ websiteId, termId: categoryId }),
  list_media: ({ websiteId }) => ({ websiteId }),
  get_media: ({ websiteId }, { mediaId }) => ({ websiteId, mediaId }),
  add_media: ({ websiteId }) => ({ websiteId, bytes: new Uint8Array(PIXEL), filename: "pixel.png" }),
  add_media_from_url: ({ websiteId }) => ({ websiteId, url: "https://images.example.com/pixel.png" }),
  edit_media: ({ websiteId }, { mediaId }) => ({ websiteId, mediaId, expectedVersion: 1, alt: "Changed" }),
  replace_media: ({ websiteId }, { mediaId }) => ({ websiteId, mediaId, byMediaId: mediaId }),
  replace_media_in_post: ({ websiteId }, { postId, mediaId }) => ({ websiteId, postId, expectedVersion: 1, mediaId, byMediaId: mediaId }),
  delete_media: ({ websiteId }, { mediaId }) => ({ websiteId, mediaId }),
  get_image_store: ({ websiteId }) => ({ websiteId }),
  test_image_store: ({ websiteId }) => ({ websiteId, address: "s3://KEY:SECRET@127.0.0.1:1/pictures" }),
  connect_image_store: ({ websiteId }) => ({ websiteId, address: "s3://KEY:SECRET@127.0.0.1:1/pictures" }),
  start_image_move: ({ websiteId }) => ({ websiteId }),
  stop_image_move: ({ websiteId }) => ({ websiteId }),
  activate_image_store: ({ websiteId }) => ({ websiteId }),
  disconnect_image_store: ({ websiteId }) => ({ websiteId }),
  list_own_images: ({ websiteId }) => ({ websiteId }),
  get_own_database: ({ websiteId }) => ({ websiteId }),
  check_own_database: ({ websiteId }) => ({ websiteId }),
  test_own_database: ({ websiteId }) => ({ websiteId, url: "mongodb://user:secret@127.0.0.1:1/blog" }),
  connect_own_database: ({ websiteId }) => ({ websiteId, url: "mongodb://user:secret@127.0.0.1:1/blog" }),
  confirm_own_database: ({ websiteId }) => ({ websiteId, confirmName: "Blog" }),
  fetch_left_content: ({ websiteId }) => ({ websiteId }),
  start_content_move: ({ websiteId }) => ({ websiteId }),
  activate_own_database: ({ websiteId }) => ({ websiteId }),
  stop_content_move: ({ websiteId }) => ({ websiteId }),
  disconnect_own_database: ({ websiteId }) => ({ websiteId }),
  list_missing_content: ({ websiteId }) => ({ websiteId }),
  get_content_move_report: ({ websiteId }) => ({ websiteId }),
  get_home: ({ websiteId }) => ({ websiteId }),
  list_people: ({ workspaceId }, { userId }) => ({ workspaceId, userIds: [userId] }),
  preview_plan_change: ({ workspaceId }) => ({ workspaceId, plan: "team" }),
  check_post: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  list_calendar: ({ websiteId }) => ({ websiteId, from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" }),
  get_views: ({ websiteId }) => ({ websiteId, period: "7d" }),
  get_post_views: ({ websiteId }, { postId }) => ({ websiteId, postId }),
  get_views_of_posts: ({ websiteId }, { postId }) => ({ websiteId, postIds: [postId] }),
  get_traffic: ({ websiteId }) => ({ websiteId }),
  restore_media: ({ websiteId }, { mediaId }) => ({ websiteId, mediaId }),
  purge_media: ({ websiteId }, { mediaId }) => ({ websiteId, mediaId }),
};

async function* noLines(): AsyncGenerator<string> {}
