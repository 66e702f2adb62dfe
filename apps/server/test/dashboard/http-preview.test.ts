import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const cookie = await node.signIn(tenant.owner);

async function aPreview(title: string, body: string) {
  const websiteId = tenant.website.id;
  const post = await node.rpc(cookie, "create_post", { websiteId, title, body });
  const { token, expiresAt } = await node.rpc(cookie, "create_preview", { websiteId, postId: post.id });
  return { postId: post.id, expiresAt, url: `${node.url}/preview/${token}` };
}

test("a preview is a page to read that runs nothing, is kept by nobody and says when it ends", async () => {
  const { url, expiresAt } = await aPreview("Salt & <b>Pepper</b>", "A *word*.\n\n<script>alert(1)</script>");
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page).toContain("<h1>Salt &amp; &lt;b&gt;Pepper&lt;/b&gt;</h1>");
  expect(page).toContain("<em>word</em>");
  expect(page).not.toContain("<script");
  expect(page).toContain(`${expiresAt.slice(11, 16)} UTC`);
  const headers = Object.fromEntries(answer.headers);
  const nonce = /<style nonce="([\w-]+)">/.exec(page)![1]!;
  expect(headers["content-security-policy"]).toContain("sandbox allow-popups; default-src 'none'");
  expect(headers["content-security-policy"]).toContain(`style-src 'nonce-${nonce}'`);
  expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex" });
});

test("where a player would stand, which runs scripts, a preview has a link to it", async () => {
  const { url } = await aPreview("Film", "::youtube[A kettle boils]{id=dQw4w9WgXcQ}");
  const page = await (await fetch(url)).text();
  expect(page).not.toContain("<iframe");
  expect(page).toMatch(/<a class="player" href="https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ[^"]*">▶ A kettle boils<\/a>/);
});

test("a token that was altered, and one whose maker lost access, lead to a page that says the preview has ended", async () => {
  const { url } = await aPreview("Draft", "Text");
  for (const path of [`${url}x`, `${node.url}/preview/`, `${node.url}/preview/abc`]) {
    const answer = await fetch(path);
    expect([answer.status, (await answer.text()).includes("This preview has ended")], path).toEqual([404, true]);
  }
  await node.services.platform.members.remove(tenant.workspace.id, tenant.owner.id);
  expect((await fetch(url)).status).toBe(404);
});
