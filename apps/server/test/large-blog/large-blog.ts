import { createHash } from "node:crypto";
import pg from "pg";
import { bigTexts, json, liveFacets, smallColumns, textColumns, withoutBody, workingFacets } from "#adapters/postgres/content/post-columns";
import type { Database } from "#adapters/postgres/database";
import { fold } from "#domain/fold";
import { type IdKind, idFromBytes, type WebsiteId } from "#domain/ids";
import { renderMarkdown } from "#domain/markdown/render";
import type { Post, Rendering } from "#domain/post";
import { MINUTE, timestamp } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import { buildContent, buildMedia, buildPublishedPost, buildTerm, byUser } from "../builders.ts";
import { copyIn, copyLine } from "./copy-in.ts";
import { numbersFrom, often, VOCABULARY, wordsOf } from "./words.ts";

export interface LargeBlog {
  readonly websiteId: WebsiteId;
  readonly posts: number;
  /** How many of the posts have a body of 4 KB; the others have a paragraph. They are spread evenly. */
  readonly full: number;
  readonly onProgress?: (done: number) => void;
}

const FIRST_DAY = Date.UTC(2016, 0, 1);
/** Bodies that differ. Each is rendered once; titles, excerpts and terms differ for every post. */
const FULL_BODIES = 300;
const SHORT_BODIES = 3_000;
const KINDS = { category: 40, tag: 500, author: 20 } as const;
const IMAGES = 1_000;
const AT_ONCE = 2_000;
const WRITERS = 2;

const idOf = <K extends IdKind>(kind: K, n: number, millis = FIRST_DAY + n) =>
  idFromBytes(kind, createHash("sha256").update(`large ${kind} ${n}`).digest(), millis);
export const largeTerm = (kind: keyof typeof KINDS, n: number) => idOf(kind, n);

/**
 * Writes a website's published posts by COPY, with everything that publishing them one by one leaves in the content store: facets, a
 * revision, claims, the change feed, counts and the index of search. Triggers are off meanwhile; what they keep is written at the end of
 * each part, in one statement. The same posts every time.
 */
export async function fillLargeBlog(database: Database, content: ContentStore, blog: LargeBlog): Promise<void> {
  const { websiteId } = blog;
  for (const [kind, count] of Object.entries(KINDS) as [keyof typeof KINDS, number][]) {
    for (let n = 0; n < count; n++) {
      const name = `${kind} ${VOCABULARY[n]!}`;
      await content.terms.insert(buildTerm(n, { id: largeTerm(kind, n), websiteId, kind, name, slug: `${kind}-${n}` }));
    }
  }
  for (let n = 0; n < IMAGES; n++) await content.media.insert(buildMedia(n, { id: idOf("media", n), websiteId }));
  const make = postMaker(blog);
  let next = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, () =>
      withClient(database, async (client) => {
        await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
        while (next < blog.posts) {
          const from = next;
          next += AT_ONCE;
          const posts = Array.from({ length: Math.min(AT_ONCE, blog.posts - from) }, (_, index) => make(from + index));
          await client.query("BEGIN");
          await copyPosts(client, posts, from);
          await client.query("COMMIT");
          blog.onProgress?.(from + posts.length);
        }
      }),
    ),
  );
  await withClient(database, async (client) => {
    await client.query("SET session_replication_role = replica");
    await client.query("UPDATE website_content SET change_seq = 100000 + $2 WHERE website_id = $1", [websiteId, 2 * blog.posts]);
    await client.query(
      `INSERT INTO post_counts (website_id, status, posts) VALUES ($1, 'published', $2)
      ON CONFLICT (website_id, status) DO UPDATE SET posts = post_counts.posts + excluded.posts`,
      [websiteId, blog.posts],
    );
    await client.query(
      `INSERT INTO facet_counts (website_id, facet, live, shown)
      SELECT website_id, facet, sum(each.live), sum(each.shown)
      FROM posts, counted_facets(status, working_facets, live_facets) AS each WHERE website_id = $1 GROUP BY website_id, facet`,
      [websiteId],
    );
  });
}

/** A connection of its own: those of the pool do not take COPY. */
async function withClient(database: Database, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const { pipeline: _, ...options } = database.pool.options as pg.PoolConfig & { pipeline?: boolean };
  const client = new pg.Client(options);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function postMaker({ websiteId, posts, full }: LargeBlog): (n: number) => Post {
  let next = numbersFrom(7);
  const paragraph = (words: number) => `${wordsOf(next, words).join(" ")}.`;
  const fullBody = (n: number) =>
    `## ${wordsOf(next, 4).join(" ")}\n\n${paragraph(150)}\n\n- ${wordsOf(next, 8).join("\n- ")}\n\n${paragraph(150)}\n\n## ${wordsOf(next, 3).join(" ")}\n\n` +
    `${paragraph(150)} [${wordsOf(next, 2).join(" ")}](https://example.com/${n})\n\n> ${paragraph(40)}\n\n${paragraph(140)}\n`;
  const bodies = (count: number, bodyOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => {
      const body = bodyOf(n);
      return { body, rendering: renderMarkdown(body) };
    });
  const long = bodies(Math.min(full, FULL_BODIES), fullBody);
  const short = bodies(Math.min(posts, SHORT_BODIES), () => `${paragraph(60)}\n`);
  const some = (kind: keyof typeof KINDS, count: number) => [
    ...new Set(Array.from({ length: count }, () => largeTerm(kind, often(next, KINDS[kind])))),
  ];
  const isFull = (n: number) => Math.floor(((n + 1) * full) / posts) > Math.floor((n * full) / posts);
  return (n) => {
    const { body, rendering }: { body: string; rendering: Rendering } = isFull(n) ? long[n % long.length]! : short[n % short.length]!;
    const at = timestamp(FIRST_DAY + n * 5 * MINUTE);
    next = numbersFrom(1_000 + n);
    const content = buildContent(n, {
      title: `${wordsOf(next, 5).join(" ")} ${n}`,
      slug: `post-${n}`,
      excerpt: paragraph(14),
      body,
      categoryIds: some("category", n % 2 === 0 ? 1 : 2),
      tagIds: some("tag", 4),
      authorIds: some("author", 1),
      coverMediaId: idOf("media", n % IMAGES),
      featured: n % 50 === 0,
    });
    return buildPublishedPost(
      n,
      { id: idOf("post", n, FIRST_DAY + n * 5 * MINUTE), websiteId, version: 2, working: content, createdAt: at, editedAt: at },
      { rendering, publishedAt: at, updatedAt: at },
    );
  };
}

async function copyPosts(client: pg.Client, posts: readonly Post[], from: number): Promise<void> {
  const rows = posts.map((post) => ({ website_id: post.websiteId, id: post.id, ...smallColumns(post), ...textColumns(bigTexts(post)) }));
  const columns = Object.keys(rows[0]!);
  await copyIn(
    client,
    "posts",
    columns,
    rows.map((row) => copyLine(Object.values(row) as Parameters<typeof copyLine>[0])),
  );
  const key = (post: Post, facet: string) => [post.websiteId, facet, post.id];
  await copyIn(
    client,
    "working_facets",
    ["website_id", "facet", "post_id"],
    posts.flatMap((post) => [...new Set(workingFacets(post))].map((facet) => copyLine(key(post, facet)))),
  );
  await copyIn(
    client,
    "live_facets",
    ["website_id", "facet", "post_id", "published_at", "created_at", "updated_at", "title_key"],
    posts.flatMap((post) => {
      const times = [post.live!.publishedAt, post.createdAt, post.live!.updatedAt, fold(post.live!.content.title)];
      return [...new Set(liveFacets(post))].map((facet) => copyLine([...key(post, facet), ...times]));
    }),
  );
  const revisionId = (n: number) => idOf("revision", from + n, FIRST_DAY + (from + n) * 5 * MINUTE);
  await copyIn(
    client,
    "revisions",
    ["website_id", "post_id", "id", "kind", "version", "author", "started_at", "at", "was_live", "content", "body"],
    posts.map(({ websiteId, id, version, createdAt, working }, n) =>
      copyLine([
        websiteId,
        id,
        revisionId(n),
        "publish",
        version,
        json(byUser()),
        createdAt,
        createdAt,
        true,
        json(withoutBody(working)),
        working.body,
      ]),
    ),
  );
  await copyIn(
    client,
    "slug_claims",
    ["website_id", "space", "slug", "owner_id", "claimed_at", "doubted_at"],
    posts.map((post) => copyLine([post.websiteId, "post", post.working.slug, post.id, post.createdAt, null])),
  );
  await copyIn(
    client,
    "content_changes",
    ["website_id", "kind", "post_id", "id", "change_seq", "removed"],
    posts.flatMap(({ websiteId, id }, n) => {
      const seq = 100_000 + 2 * (from + n);
      return [copyLine([websiteId, "revision", id, revisionId(n), seq, false]), copyLine([websiteId, "post", "", id, seq + 1, false])];
    }),
  );
  const [first, last] = [posts[0]!, posts.at(-1)!];
  await client.query(
    `SELECT count(index_post(post)) FROM (
      SELECT posts AS post FROM posts WHERE website_id = $1 AND id BETWEEN $2 AND $3 ORDER BY id OFFSET 0
    ) AS written`,
    [first.websiteId, first.id, last.id],
  );
}
