import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Client, PreviewPost } from "../src/index.ts";
import { createPreviewHandler, createWebhookHandler, findPostOrPreview, nextRedirects } from "../src/next.ts";

const SECRET = "whsec_test";

function delivery(event: object, secret = SECRET): Request {
  const body = JSON.stringify(event);
  const t = Math.floor(Date.now() / 1_000);
  const signature = `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
  return new Request("https://site.example/api/stet", { method: "POST", body, headers: { "Service-Signature": signature } });
}

test.each([
  [
    "post.updated",
    { post: { id: "post_1", slug: "new" }, previousSlug: "old" },
    ["stet-lists", "stet-post-post_1", "stet-post-new", "stet-post-old"],
  ],
  ["post.deleted", { post: { id: "post_1" }, previousSlug: null }, ["stet-lists", "stet-post-post_1"]],
  ["webhook.test", { post: null, previousSlug: null }, ["stet"]],
  ["comment.created", { post: null, previousSlug: null }, []],
])("%s revalidates what shows the post", async (type, data, tags) => {
  const revalidated: unknown[] = [];
  const handle = createWebhookHandler({ secret: SECRET, revalidateTag: (...args) => revalidated.push(args) });
  expect((await handle(delivery({ type, data }))).status).toBe(204);
  expect(revalidated).toEqual(tags.map((tag) => [tag, { expire: 0 }]));
});

test("a delivery that is not genuine is refused and revalidates nothing", async () => {
  const revalidated: unknown[] = [];
  const handle = createWebhookHandler({ secret: SECRET, revalidateTag: (tag) => revalidated.push(tag) });
  const event = { type: "post.updated", data: { post: { id: "post_1", slug: "a" }, previousSlug: null } };
  expect((await handle(delivery(event, "whsec_other"))).status).toBe(401);
  expect((await handle(new Request("https://site.example", { method: "POST", body: "{}" }))).status).toBe(401);
  expect(revalidated).toEqual([]);
});

const draft = { slug: "plans", title: "Draft", expiresAt: new Date(Date.now() + 3_600_000).toISOString() } as PreviewPost;
const live = { slug: "plans", title: "Live" };
const client = {
  preview: async (token: string) => (token === "good" ? draft : null),
  posts: { findBySlug: async (slug: string) => (slug === "plans" ? live : null) },
  redirects: {
    async *all() {
      yield { from: "a", to: "b", postId: "post_1" };
    },
  },
} as unknown as Client;

test("a preview link opens draft mode and the post's page, and its token leaves the address", async () => {
  let enabled = 0;
  const draftMode = async () => ({ isEnabled: enabled > 0, enable: () => void (enabled += 1) });
  const handle = createPreviewHandler({ client, draftMode });
  for (const address of ["https://site.example/preview", "https://site.example/preview?token=bad"]) {
    expect((await handle(new Request(address))).status).toBe(404);
  }
  expect(enabled).toBe(0);
  const response = await handle(new Request("https://site.example/preview?token=good"));
  expect([response.status, response.headers.get("location"), enabled]).toEqual([307, "/blog/plans", 1]);
  expect(response.headers.get("set-cookie")).toMatch(/^stet-preview=good; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3\d{3}; Secure$/);
  expect([response.headers.get("cache-control"), response.headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
});

test.each([
  [true, "good", "plans", draft],
  [true, "bad", "plans", live],
  [true, "good", "other", null],
  [true, undefined, "plans", live],
  [false, "good", "plans", live],
])("draft mode %s with the token %s shows at %s the right post", async (isEnabled, token, slug, shown) => {
  const draftMode = async () => ({ isEnabled, enable: () => {} });
  const cookies = async () => ({ get: () => (token === undefined ? undefined : { value: token }) });
  expect(await findPostOrPreview(client, slug, { draftMode, cookies })).toEqual(shown);
});

test("former slugs become redirects of next.config", async () => {
  expect(await nextRedirects(client)).toEqual([{ source: "/blog/a", destination: "/blog/b", permanent: true }]);
  expect(await nextRedirects(client, (slug) => `/${slug}`)).toMatchObject([{ source: "/a", destination: "/b" }]);
});
