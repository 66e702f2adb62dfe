import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { PostView } from "#operations/posts/helpers/post-view";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { readEverything } from "./read-everything.ts";
import type { Answer } from "./request.ts";
import { type Blog, openService } from "./service.ts";

vi.setConfig({ testTimeout: 120_000 });

const service = closedAtEnd(await openService());

/** Every text that is written anywhere holds a word of its own, so that an answer says where it comes from. */
const WORD = /\bq\d+[a-z]*z\b/g;
let words = 0;
const newWord = (of: string) => `q${(words += 1)}${of}z`;

/** One post as the rules say it is, beside the one in the store. */
interface Model {
  view: PostView;
  working: { readonly slug: string; readonly words: ReadonlySet<string> };
  live: Model["working"] | null;
  readonly pastSlugs: Set<string>;
}

const ACTIONS = ["create", "edit", "rename", "publish", "update", "unpublish", "schedule", "trash", "restore"] as const;
type Action = (typeof ACTIONS)[number];

/** Does to store and model what the action says; an action that does not exist in the post's state is refused by both. */
async function act(blog: Blog, posts: Model[], action: Action, pick: number): Promise<void> {
  const { write } = blog;
  if (action === "create" || posts.length === 0) {
    const written = await writeWords(blog);
    const slug = newWord("slug");
    const view = await write.draft(written.title, { ...written.fields, slug });
    posts.push({ view, working: { slug, words: new Set([...written.words, slug]) }, live: null, pastSlugs: new Set() });
    return;
  }
  const post = posts[pick % posts.length]!;
  const { status } = post.view;
  const can = (...from: string[]) => from.includes(status);
  service.services.pass(1_000);
  if (action === "edit" && !can("deleted")) {
    const written = await writeWords(blog);
    post.view = await write.edit(post.view, { title: written.title, ...written.fields });
    post.working = { slug: post.working.slug, words: new Set([...written.words, post.working.slug]) };
  } else if (action === "rename" && !can("deleted")) {
    const slug = newWord("slug");
    post.view = await write.edit(post.view, { slug });
    post.working = { slug, words: new Set([...[...post.working.words].filter((word) => word !== post.working.slug), slug]) };
  } else if ((action === "publish" && can("draft", "unpublished", "scheduled")) || (action === "update" && can("published"))) {
    post.view = await (action === "publish" ? write.publish : write.update)(post.view);
    post.live = post.working;
    post.pastSlugs.add(post.working.slug);
  } else if (action === "unpublish" && can("published", "scheduled")) {
    post.view = await write.unpublish(post.view);
    post.live = null;
  } else if (action === "schedule" && can("draft", "unpublished")) {
    post.view = await write.schedule(post.view, "2030-01-01T00:00:00.000Z");
  } else if (action === "trash" && !can("deleted")) {
    post.view = await write.trash(post.view);
    post.live = null;
  } else if (action === "restore" && can("deleted")) {
    const { actor, website } = blog.tenant;
    post.view = await service.services.call(registry.restore_post, actor, {
      websiteId: website.id,
      postId: post.view.id,
      expectedVersion: post.view.version,
    });
  }
}

/** New words for every field that a reader could see, with a tag and an image nobody else uses. */
async function writeWords({ write }: Blog) {
  const [title, excerpt, body, tagName, file, seo] = ["title", "excerpt", "body", "tag", "file", "seo"].map(newWord) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const [tag, image] = [await write.term("tag", tagName), await write.image(`${file}.png`)];
  const fields = { excerpt, body: `## ${body}\n\n${body}`, tagIds: [tag.id], coverMediaId: image.id, seo: { title: seo } };
  return { title, fields, words: new Set([title, excerpt, body, tagName, file, seo]) };
}

function expectOnlyLive(posts: readonly Model[], answers: ReadonlyMap<string, Answer>): void {
  const live = new Set(posts.flatMap((post) => [...(post.live?.words ?? [])]));
  const redirects = new Set(posts.flatMap((post) => (post.live ? [...post.pastSlugs] : [])));
  const everLive = new Set(posts.flatMap((post) => [...post.pastSlugs]));
  for (const [address, answer] of answers) {
    const text = `${JSON.stringify(answer.headers)} ${answer.text}`;
    // Changes name what was live once; an old slug is said to whoever came by it, and listed while its post is live.
    const allowed = (word: string) =>
      live.has(word) ||
      (address.startsWith("/blog/changes")
        ? everLive.has(word)
        : redirects.has(word) && (address.includes(word) || address.startsWith("/blog/redirects")));
    expect([address, (text.match(WORD) ?? []).filter((word) => !allowed(word))]).toEqual([address, []]);
  }
}

test("a key cannot see a draft, ever: whatever is written, published, changed or removed, every route shows live copies only", async () => {
  const step = fc.tuple(fc.constantFrom(...ACTIONS, "publish" as const, "edit" as const), fc.nat({ max: 5 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const blog = await service.blog();
      await blog.write.settings({ publicUrl: "https://example.com", title: "Blog" });
      const since = (await blog.get("/blog/changes")).json.cursor;
      const posts: Model[] = [];
      for (const [action, pick] of steps) {
        await act(blog, posts, action, pick);
        // What is ready as bytes must go when it is live no more.
        const light = new Map<string, Answer>();
        for (const path of [
          "/blog/posts",
          "/blog/feed.xml",
          "/blog/tags",
          "/blog/media",
          ...posts.map((post) => `/blog/posts/${post.view.id}`),
        ])
          light.set(path, await blog.get(path));
        expectOnlyLive(posts, light);
        for (const post of posts) expect(light.get(`/blog/posts/${post.view.id}`)!.status).toBe(post.live ? 200 : 404);
      }
      const every = posts.flatMap((post) => [...post.working.words]);
      for (const post of posts) {
        const body = JSON.stringify({ website: blog.tenant.website.id, post: post.view.id });
        await service.ask("/collect", {
          method: "POST",
          body,
          headers: { "Content-Type": "text/plain", "User-Agent": "Mozilla/5.0 Firefox/140.0" },
        });
      }
      const names = posts.flatMap((post) => [post.view.id, ...post.pastSlugs, post.working.slug]);
      const answers = await readEverything(blog.get, { since, names: [...new Set(names)], words: every.slice(0, 30), pageSize: 50 });
      expectOnlyLive(posts, answers);
      // And what is live is there: the test could not pass by answering nothing.
      const { data } = (await blog.get("/blog/posts?limit=100")).json;
      expect(data).toHaveLength(posts.filter((post) => post.live).length);
      for (const post of posts) {
        for (const slug of post.live ? post.pastSlugs : [])
          expect((await blog.get(`/blog/posts/${slug}`)).json.data.slug).toBe(post.live!.slug);
      }
    }),
    { numRuns: 8 },
  );
});
