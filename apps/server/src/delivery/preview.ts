import type { PreviewPostJson } from "@stet/contract";
import { reachOf, isWithinReach } from "#domain/access";
import { toolActor, userActor } from "#domain/actor";
import { fail, Failure } from "#domain/failure";
import type { Post } from "#domain/post";
import { publishedView } from "#domain/published-view";
import { type PreviewClaims, readPreviewToken } from "#domain/preview-token";
import type { Renderer } from "#domain/renderer";
import { timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import type { Connections } from "#ports/connections";
import type { ContentStore } from "#ports/content-store";
import type { RouteAnswer } from "./read-route.ts";
import type { ContentSource } from "#present/content-source";
import { presentPost } from "#present/posts";
import type { DeliveryServices } from "./services.ts";

type PreviewServices = Pick<DeliveryServices, "platform" | "contents" | "keyring" | "clock" | "publicUrl"> & {
  readonly render: Renderer;
  /** Connected tools: a preview that one made ends with it. */
  readonly connections: Pick<Connections, "get">;
};

/** The headers of an answer with a draft: nobody caches it, no search engine lists it, and no referrer names its address. */
export const PREVIEW_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
} as const;

/**
 * Reads the working copy behind a preview token. Only the token opens it; an API key is neither needed nor enough. Whether the person or app
 * that created the preview may still read the post is checked each time. Every refusal has the same text, so an ended token reveals nothing.
 */
export type ReadPreview = (token: string) => Promise<RouteAnswer>;

export function createPreview(services: PreviewServices): ReadPreview {
  return async (token) => {
    const now = services.clock();
    const signatures = (text: string) => services.keyring.macs("preview", text).map(({ hash }) => hash);
    const claims = readPreviewToken(token, signatures, now.getTime());
    const website = claims && (await services.platform.websites.get(claims.websiteId));
    if (!claims || !website) throw ended();
    return services.contents.withContent(website, async (content) => {
      const post = await findReadable(services, website, content, claims);
      if (!post) throw ended();
      const source = { websiteId: website.id, content, websiteUrl: website.settings.publicUrl, publicUrl: services.publicUrl };
      return { kind: "json", value: { data: await present(services, source, post, claims, now) } };
    });
  };
}

/** The post, while the maker of the preview may read it: a tool as long as it is connected, and as far as its grant goes. */
async function findReadable(
  { platform, connections }: PreviewServices,
  website: Website,
  content: ContentStore,
  claims: PreviewClaims,
): Promise<Post | null> {
  const [role, post] = await Promise.all([
    platform.members.role(website.workspaceId, claims.userId),
    content.posts.get(website.id, claims.postId),
  ]);
  if (!post || post.status === "deleted") return null;
  const connection = claims.grantId === null ? null : await connections.get(claims.grantId);
  if (claims.grantId !== null && (!connection || connection.revokedAt !== null)) return null;
  const maker = connection ? toolActor(claims.userId, connection) : userActor(claims.userId);
  try {
    const reach = reachOf(maker, "post.read", { workspaceId: website.workspaceId, role });
    if (!isWithinReach(reach, maker, { ownerId: post.ownerId, published: post.status === "published" })) return null;
    const shown = reach === "any" || post.ownerId === claims.userId ? post : publishedView(post);
    return shown;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

async function present(
  services: PreviewServices,
  source: ContentSource,
  post: Post,
  claims: PreviewClaims,
  now: Date,
): Promise<PreviewPostJson> {
  const { body, ...content } = post.working;
  const rendering = await services.render(body);
  const shown = await presentPost(source, {
    id: post.id,
    content,
    body,
    rendering,
    wordCount: rendering.wordCount,
    readingMinutes: rendering.readingMinutes,
    // The date it has, is planned for, or would get now: a template that shows one needs no second case.
    publishedAt: content.publishedAt ?? post.live?.publishedAt ?? post.scheduledAt ?? timestamp(now),
    createdAt: post.createdAt,
    updatedAt: post.editedAt,
  });
  return { ...shown, status: post.status, expiresAt: timestamp(claims.expiresAt) };
}

const ended = () => fail("NOT_FOUND", "This preview link has expired or is wrong. Create a new one in the dashboard.");
