import type { SearchHitJson } from "@stet/contract";
import { fail } from "#domain/failure";
import type { Parameter } from "./read-route.ts";
import { readRoute } from "./read-route.ts";
import { afterOf, pageSize, readyCollection } from "./paging.ts";
import { cursor, limit } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";

const MAX_CHARACTERS = 200;
/** The order is the store's: best first. */
const PAGING = { kind: "post", sort: "-rank" } as const;

const searchText: Parameter<string> = (raw) => {
  const text = raw.trim();
  // As the description counts them: by code point, and before they are trimmed.
  if (text !== "" && (raw.length <= MAX_CHARACTERS || [...raw].length <= MAX_CHARACTERS)) return text;
  throw fail("INVALID_PARAMETER", `q must be 1 to ${MAX_CHARACTERS} characters: the words to search for.`, { parameter: "q" });
};

export const searchPosts = readRoute({
  path: "/blog/search",
  query: { q: searchText, limit, cursor },
  needs: "search",
  cached: true,
  async run(context, _params, query) {
    if (query.q === undefined) throw fail("INVALID_PARAMETER", "Add a search term: /blog/search?q=words", { parameter: "q" });
    const size = pageSize(query.limit);
    const page = await context.content.search.search(context.website.id, {
      text: query.q,
      language: context.website.settings.language,
      after: afterOf(PAGING, query.cursor),
      limit: size,
    });
    const posts = await context.readyPosts.present(
      sourceOf(context),
      page.rows.map((hit) => hit.post),
    );
    const data = page.rows.map(({ titleHighlight: title, excerptHighlight: excerpt }, index) => {
      const highlights: SearchHitJson["highlights"] = { title, excerpt };
      return Buffer.concat([Buffer.from('{"post":'), posts[index]!, Buffer.from(`,"highlights":${JSON.stringify(highlights)}}`)]);
    });
    return readyCollection(data, PAGING, page.next, size);
  },
});
