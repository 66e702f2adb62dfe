import { fail } from "#domain/failure";
import { PREVIEW_MILLIS, writePreviewToken } from "#domain/preview-token";
import { SECOND, type Timestamp, timestamp } from "#domain/time";
import { postOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { aboutPost, viewOf } from "./helpers/post-view.ts";

export interface Preview {
  readonly token: string;
  /** On the website where it has a preview page, otherwise of the API. */
  readonly url: string;
  readonly expiresAt: Timestamp;
}

/**
 * A reader with the link sees the working copy as it is at that moment, for an hour, and no longer than its maker could. It is
 * written down, because it shows a draft to people without an account.
 */
export const createPreview = postOperation({
  name: "create_preview",
  summary: "Create a link that shows the working copy of a post for one hour.",
  permission: "post.read",
  input: {},
  async run(context): Promise<Preview> {
    const { actor, post, services, website } = context;
    if (post.status === "deleted") {
      throw fail("INVALID_TRANSITION", "A post in the trash has no preview. Restore it first.", { status: post.status });
    }
    // Whole seconds, so that the token stays short.
    const expiresAt = Math.floor((services.clock().getTime() + PREVIEW_MILLIS) / SECOND) * SECOND;
    const claims = {
      websiteId: website.id,
      postId: post.id,
      userId: userIdOf(context),
      grantId: actor.type === "tool" ? actor.grant.id : null,
      expiresAt,
    };
    const token = writePreviewToken(claims, (text) => services.keyring.mac("preview", text).hash);
    const url = addressOf(token, website.settings.previewUrl, services.settings.publicUrl);
    return { token, url, expiresAt: timestamp(expiresAt) };
  },
  changes: "nothing",
  activity: ({ post, by, now }) => ({ ...aboutPost(viewOf(post)), foldKey: `create_preview:${post.id}:${by.id}:${now.slice(0, 13)}` }),
});

/**
 * Without an address of the website's own, the page that this service shows. `https://example.com/preview?token=` and
 * `https://example.com/preview/` take it as it is; otherwise it becomes the parameter `token`.
 */
function addressOf(token: string, previewUrl: string | null, publicUrl: string): string {
  if (previewUrl === null) return `${publicUrl}/preview/${token}`;
  if (/[/=]$/.test(previewUrl)) return previewUrl + token;
  const url = new URL(previewUrl);
  url.searchParams.set("token", token);
  return url.href;
}
