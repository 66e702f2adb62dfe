import type { WebhookEvent } from "./api-types.ts";
import type { Client, Fields, Post, PreviewPost } from "./client.ts";
import { StetError } from "./error.ts";
import { EVERYTHING_TAG, LISTS_TAG, postTag } from "./tags.ts";
import { verifyWebhook } from "./webhook.ts";

/**
 * The tags of what an event changes, for a client that was made with `nextTags`. A test event is for everything: categories, tags, authors and
 * settings have no events, and so a person can have their changes shown right away.
 */
export function tagsOf({ type, data }: WebhookEvent): string[] {
  const { post, previousSlug } = data;
  if (type === "webhook.test") return [EVERYTHING_TAG];
  if (!type.startsWith("post.") || !post) return [];
  const names = [post.id, "slug" in post ? post.slug : null, previousSlug];
  return [LISTS_TAG, ...names.filter((name) => name !== null).map(postTag)];
}

export interface WebhookHandlerOptions {
  /** `whsec_…`; several while one replaces another. */
  readonly secret: string | readonly string[] | undefined;
  /** `revalidateTag` of `next/cache`. */
  revalidateTag(tag: string, profile: { expire: number }): unknown;
  /** Whatever else an event shall bring about. */
  onEvent?(event: WebhookEvent): unknown;
}

/** `export const POST = createWebhookHandler({ secret, revalidateTag })`: pages show a change with the next request. */
export function createWebhookHandler({ secret, revalidateTag, onEvent }: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const event = await verifyWebhook(request, { secret });
      for (const tag of tagsOf(event)) revalidateTag(tag, { expire: 0 });
      await onEvent?.(event);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (StetError.is(error) && error.code === "INVALID_SIGNATURE") return new Response(error.message, { status: 401 });
      throw error;
    }
  };
}

const COOKIE = "stet-preview";

/** What is used of `draftMode` and `cookies` of `next/headers`, which older versions answer without a promise. */
type Soon<Value> = Value | Promise<Value>;
type DraftMode = () => Soon<{ readonly isEnabled: boolean; enable(): void }>;
type Cookies = () => Soon<{ get(name: string): { readonly value: string } | undefined }>;

export interface PreviewHandlerOptions {
  readonly client: Pick<Client, "preview">;
  readonly draftMode: DraftMode;
  /** The page of a post; `/blog/{slug}` unless told. */
  path?(post: PreviewPost): string;
}

/** `export const GET = createPreviewHandler({ client, draftMode })`: the address to give as *Preview address* in the website's settings. */
export function createPreviewHandler({ client, draftMode, path }: PreviewHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const token = new URL(request.url).searchParams.get("token");
    const post = token ? await client.preview(token, { fetchOptions: { cache: "no-store" } }) : null;
    if (!token || !post)
      return new Response("This preview link has expired. Create a new one in the editor.", { status: 404, headers: PRIVATE });
    (await draftMode()).enable();
    const seconds = Math.max(0, Math.floor((Date.parse(post.expiresAt) - Date.now()) / 1_000));
    const secure = new URL(request.url).protocol === "https:" ? "; Secure" : "";
    return new Response(null, {
      status: 307,
      headers: {
        ...PRIVATE,
        Location: path?.(post) ?? `/blog/${post.slug}`,
        "Set-Cookie": `${COOKIE}=${encodeURIComponent(token)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
      },
    });
  };
}

const PRIVATE = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" } as const;

/** For the page of a post: the draft to whoever opened its preview, the published post to everybody else. */
export async function findPostOrPreview<F = Fields>(
  client: Pick<Client<F>, "posts" | "preview">,
  slug: string,
  next: { readonly draftMode: DraftMode; readonly cookies: Cookies },
): Promise<Post<F> | PreviewPost<F> | null> {
  const token = (await next.draftMode()).isEnabled ? (await next.cookies()).get(COOKIE)?.value : undefined;
  const draft = token ? await client.preview(token, { fetchOptions: { cache: "no-store" } }) : null;
  return draft?.slug === slug ? draft : client.posts.findBySlug(slug);
}

/** For `redirects` of next.config: every former address of a post. `path` is the page of a post; `/blog/{slug}` unless told. */
export async function nextRedirects(
  client: Pick<Client, "redirects">,
  path: (slug: string) => string = (slug) => `/blog/${slug}`,
): Promise<{ source: string; destination: string; permanent: true }[]> {
  const found = [];
  for await (const { from, to } of client.redirects.all()) {
    found.push({ source: path(from), destination: path(to), permanent: true as const });
  }
  return found;
}
