import { userActor } from "#domain/actor";
import type { UserId, WebsiteId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { type OperationName, registry } from "#operations/registry";
import type { After } from "#ports/list-page";
import { largeTerm } from "#test/large-blog/large-blog";
import { VOCABULARY } from "#test/large-blog/words";

/** How long each may take, in milliseconds. */
const ANSWER = 300;
const SITEMAP = 2_000;
const SWEEP = 100;

export interface Question {
  readonly name: string;
  readonly bar: number;
  ask(): Promise<unknown>;
}

const COMMON = [0, 10, 30, 100];

/** What websites, people and sweeps ask of a large blog. Each is asked first with nothing of it kept in memory. */
export function questions(services: Services, { websiteId, userId }: { websiteId: WebsiteId; userId: UserId }): readonly Question[] {
  const content = services.contents.managed;
  const answer = (name: string, ask: () => Promise<unknown>): Question => ({ name, bar: ANSWER, ask });
  const sweep = (name: string, ask: () => Promise<unknown>): Question => ({ name: `sweep: ${name}`, bar: SWEEP, ask });
  const operate = (name: OperationName, input: Record<string, unknown>) => () =>
    execute(services, registry[name] as never, userActor(userId), { websiteId, ...input });
  const find = (text: string) => () => content.search.search(websiteId, { text, language: "en", after: null, limit: 20 });
  const live = (query: Partial<Parameters<typeof content.posts.listLive>[1]>) => () =>
    content.posts.listLive(websiteId, { sort: "-publishedAt", after: null, limit: 20, ...query });
  const terms = async (kind: "tag" | "category") => {
    const page = await content.terms.list(websiteId, { kind, onlyLive: true, after: null, limit: 100 });
    const groups = await content.terms.facetGroups(
      websiteId,
      page.rows.map(({ id }) => id),
    );
    const counts = await content.posts.countLiveByFacet(websiteId, groups);
    if (counts.length === 0 || counts.includes(0)) throw new Error("A term without a post was listed: it measures nothing.");
  };
  const deep: After = { key: "2017-01-01T00:00:00.000Z", id: "post_01b5cpgp00e000000000000000" };
  const now = timestamp(services.clock());
  return [
    answer("posts, page 1", live({})),
    answer("posts, deep", live({ sort: "publishedAt", after: deep })),
    ...(["-publishedAt", "createdAt", "-updatedAt", "title"] as const).map((sort) =>
      answer(`posts of a frequent tag by ${sort}`, live({ sort, facets: [[largeTerm("tag", 0)]] })),
    ),
    answer("posts of a rare tag", live({ facets: [[largeTerm("tag", 498)]] })),
    answer("posts of a category and a tag", live({ facets: [[largeTerm("category", 0)], [largeTerm("tag", 3)]] })),
    answer("tags with counts", () => terms("tag")),
    answer("categories with counts", () => terms("category")),
    answer("dashboard: categories", operate("list_terms", { kind: "category" })),
    answer("dashboard: tags by count", operate("list_terms", { kind: "tag", sort: "-postCount" })),
    answer("dashboard: posts", operate("list_post_heads", { limit: 50 })),
    answer("dashboard: posts of a tag", operate("list_post_heads", { limit: 50, tagId: largeTerm("tag", 0) })),
    // One answer looks at a part of the titles, in the index of this order or, by creation, in the posts.
    ...(["-editedAt", "createdAt"] as const).map((sort) =>
      answer(`dashboard: a word in no title by ${sort}`, operate("list_post_heads", { limit: 50, titleContains: "qqqq", sort })),
    ),
    ...COMMON.map((n) => answer(`search: common word ${n}`, find(VOCABULARY[n]!))),
    answer("search: two common words", find(`${VOCABULARY[12]} ${VOCABULARY[25]}`)),
    answer("search: beginning of words", find(VOCABULARY[40]!.slice(0, 4))),
    answer("search: rare word", find(VOCABULARY[15_000]!)),
    ...[1_000, 3_000].map((n) => answer(`search: typing error ${n}`, find(`${VOCABULARY[n]!.slice(0, -1)}z`))),
    answer("search: nothing", find("xyzzyqqq")),
    { name: "sitemap index", bar: SITEMAP, ask: () => sitemapIndex(content.posts, websiteId) },
    sweep("pending", () => content.posts.listPending(100)),
    sweep("trash", () => content.posts.listDeletedBefore(now, 100)),
    sweep("renderings", () => content.posts.listRenderedBefore(1, 100)),
    sweep("counts", () => content.posts.countOlder(200)),
    sweep("thinning", () => content.revisions.listThinnable(now, null, 200)),
    sweep("claims", () => content.claims.listDoubtful(now, null, 200)),
    sweep("suggestions", () => content.beside.listClosedBefore(now, 100)),
    sweep("images in the trash", () => content.media.listDeletedBefore(now, 100)),
    sweep("images to strip", () => content.media.listUnchecked(null, 20)),
    sweep("files of images", () => content.media.listAll(null, 50)),
  ];
}

/** Where the files of the sitemap begin, as delivery/sitemap.ts finds them. */
async function sitemapIndex(posts: Services["contents"]["managed"]["posts"], websiteId: WebsiteId): Promise<void> {
  let after: After | null = null;
  do after = await posts.skipLive(websiteId, after, 50_000);
  while (after);
}
