import type { PreviewPostJson } from "@stet/contract";
import { reachOf, isWithinReach } from "#domain/access";
import { toolActor, userActor } from "#domain/actor";
import { fail, Failure } from "#domain/failure";
import type { Post } from "#domain/post";
import { publishedView } from "#domain/published-view";
import { type PreviewClaims, readPreviewToken } from "#domain/preview-token";
import type { Renderer } from "#domain/renderer";
import { timestamp } from "#domain/time";
import type { Connections } from "#ports/connections";
import type { RouteAnswer } from "./read-route.ts";
import { presentPost } from "#present/posts";
import type { DeliveryServices } from "./services.ts";

type PreviewServices = Pick<DeliveryServices, "platform" | "contentOf" | "keyring" | "clock" | "publicUrl"> & {
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
 * Reads previews: the token alone opens one, no key is needed and none suffices. Whether its maker may still read the post is
 * asked each time. Every refusal reads the same, so that a token tells nothing once it has ended.
 */
/** The working copy behind a token. */
export type ReadPreview = (token: string) => Promise<RouteAnswer>;

export function createPreview(services: PreviewServices): ReadPreview {
  return async (token) => {
    const now = services.clock();
    const signatures = (text: string) => services.keyring.macs("preview", text).map(({ hash }) => hash);
    const claims = readPreviewToken(token, signatures, now.getTime());
    const post = claims && (await findReadable(services, claims));
    if (!claims || !post) throw ended();
    return { kind: "json", value: { data: await present(services, post, claims, now) } };
  };
}

/** The post, while the maker of the preview may read it: a tool as long as it is connected, and as far as its grant goes. */
async function findReadable({ platform, contentOf, connections }: PreviewServices, claims: PreviewClaims): Promise<Post | null> {
  const website = await platform.websites.get(claims.websiteId);
  if (!website) return null;
  const [role, post] = await Promise.all([
    platform.members.role(website.workspaceId, claims.userId),
    contentOf(website).posts.get(website.id, claims.postId),
  ]);
  if (!post || post.status === "deleted") return null;
  const connection = claims.grantId === null ? null : await connections.get(claims.grantId);
  if (claims.grantId !== null && (!connection || connection.revokedAt !== null)) return null;
  const maker = connection ? toolActor(claims.userId, connection) : userActor(claims.userId);
  try {
    const reach = reachOf(maker, "post.read", { workspaceId: website.workspaceId, role });
    if (!isWithinReach(reach, maker, { ownerId: post.ownerId, published: post.status === "published" })) return null;
    return reach === "any" || post.ownerId === claims.userId ? post : publishedView(post);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

async function present(services: PreviewServices, post: Post, claims: PreviewClaims, now: Date): Promise<PreviewPostJson> {
  const { body, ...content } = post.working;
  const rendering = await services.render(body);
  const source = { websiteId: post.websiteId, content: services.contentOf({ id: post.websiteId }), publicUrl: services.publicUrl };
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
