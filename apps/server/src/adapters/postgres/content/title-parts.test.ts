import { POST_STATUSES } from "@stet/contract";
import { beforeAll, expect, test } from "vitest";
import type { PostId } from "#domain/ids";
import type { Post } from "#domain/post";
import { ownAndPublished } from "#operations/kernel/own-and-published";
import { type ContentStore, LIST_SORTS, type PostListQuery, PUBLICATION_SORTS } from "#ports/content-store";
import type { After } from "#ports/list-page";
import { at, buildContent, buildLive, buildPost, byTool, byUser, testId, WEBSITE, WRITER } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openPostgresContent } from "./open.ts";

const POSTS = 24;
const TAG = testId("tag", 1);
const OTHER = testId("user", 2);
const SECRET = "zwischenzeile";

const database = closedAtEnd(await openTestDatabase());
const whole = openPostgresContent(database);
const inParts = (...titlesAtOnce: readonly number[]) => openPostgresContent(database, { titlesAtOnce });

/** Every fourth is wanted; three states have more than three; three at a time share a moment, and many a title. */
function postOf(n: number): Post {
  const moment = at(Math.floor(n / 3));
  const title = `${n % 4 === 0 ? "Wanted" : "Other"} ${Math.floor(n / 12)}`;
  const content = buildContent(n, { title, slug: `post-${n}`, tagIds: n % 8 === 0 ? [TAG] : [] });
  const status = n % 5 > 1 ? "published" : n % 2 === Math.floor(n / 5) % 2 ? "draft" : "unpublished";
  const isPublished = status === "published";
  return buildPost(n, {
    status,
    working: isPublished && n % 3 === 0 ? { ...content, title: `${title} ${SECRET}` } : content,
    live: isPublished ? buildLive(content, { publishedAt: moment, updatedAt: moment }) : null,
    ownerId: n % 3 === 1 ? OTHER : WRITER,
    editedBy: n % 3 === 0 ? byTool() : byUser(),
    review: n % 7 < 3 ? { requestedBy: byUser(), requestedAt: moment, note: "" } : null,
    createdAt: moment,
    editedAt: moment,
  });
}

beforeAll(async () => {
  for (let n = 0; n < POSTS; n++) await whole.posts.insert(postOf(n), { visible: true });
});

interface Walk {
  readonly ids: readonly PostId[];
  readonly positions: readonly After[];
  /** Pages that have fewer posts than they could, and are not the last. */
  readonly short: number;
}

async function walk(store: ContentStore, query: Partial<PostListQuery>, limit: number): Promise<Walk> {
  const asked = { statuses: POST_STATUSES, titleContains: "wanted", sort: "title", limit, ...query } as const;
  const ids: PostId[] = [];
  const positions: After[] = [];
  let short = 0;
  let after: After | null = null;
  for (let page = 0; page === 0 || after; page++) {
    expect(page).toBeLessThan(2 * POSTS);
    const { rows, next }: Awaited<ReturnType<typeof store.posts.list>> = await store.posts.list(WEBSITE, { ...asked, after });
    ids.push(...rows.map(({ id }) => id));
    if (next) positions.push(next);
    if (next && rows.length < limit) short += 1;
    after = next;
  }
  return { ids, positions, short };
}

const NARROWED: Readonly<Record<string, Partial<PostListQuery>>> = {
  "of some states": { statuses: ["draft", "published", "draft"] },
  "in a contributor's view": { ownOrPublished: OTHER },
  "of an owner": { ownerId: WRITER },
  "with a term": { facets: [[TAG]] },
  "edited by a tool": { editedByTool: true },
  "that wait for review": { reviewRequested: true },
  "that nobody has": { titleContains: "nowhere" },
};

const everyList = [
  ...[...LIST_SORTS, ...PUBLICATION_SORTS].map((sort) => ({ name: "of all states", sort })),
  ...(["title", "-publishedAt"] as const).map((sort) => ({ name: "in a contributor's view", sort })),
  ...Object.keys(NARROWED).map((name) => ({ name, sort: "-editedAt" as const })),
];

test.each(everyList)(
  "titles $name are looked for in parts by $sort: every match comes once, in the order of the whole list",
  async ({ name, sort }) => {
    const query = { sort, ...NARROWED[name] };
    const all = await walk(whole, query, 100);
    expect([all.ids.length > 1, all.short]).toEqual([name !== "that nobody has", 0]);
    const walked = await walk(inParts(1, 3), query, 2);
    expect(walked.ids).toEqual(all.ids);
    expect(walked.short).toBeGreaterThan(1);
  },
);

test("a website with no more titles than one answer looks at has no part of a page", async () => {
  expect((await walk(inParts(POSTS), {}, 2)).short).toBe(0);
});

test("what is not looked for by title is not cut", async () => {
  const query = { statuses: POST_STATUSES, sort: "title", ownerId: WRITER, after: null, limit: 100 } as const;
  expect(await inParts(1).posts.list(WEBSITE, query)).toEqual(await whole.posts.list(WEBSITE, query));
});

test.each(["title", "-title"] as const)("by %s a contributor's list goes on after nothing that only others may know", async (sort) => {
  const view = { sort, ownOrPublished: OTHER };
  const own = ownAndPublished(inParts(2), OTHER);
  const walked = await walk(own, view, 2);
  expect(walked.ids).toEqual((await walk(ownAndPublished(whole, OTHER), view, 100)).ids);
  const keysOf = ({ positions }: Walk) => positions.map(({ key }) => key).join();
  expect(keysOf(walked)).not.toContain(SECRET);
  expect(keysOf(await walk(inParts(2), view, 2))).toContain(SECRET);
  const listed = await walk(own, { ...view, titleContains: "" }, 100);
  expect(walked.positions.filter(({ id }) => !listed.ids.includes(id as PostId))).toEqual([]);
});
