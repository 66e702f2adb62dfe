import { VIEW_PERIODS } from "../delivery.ts";
import { DEFAULT_POST_SORT, LIMITS, POST_SORTS } from "../lists.ts";
import type { Parameter, Reference } from "./types.ts";
import { refTo } from "./types.ts";

const query = (name: string, description: string, schema: Parameter["schema"], example?: string | number | boolean): Parameter => ({
  name,
  in: "query",
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});
/** At least a character, and no NUL, which no value of ours has. */
const ANYTHING = { minLength: 1, pattern: "^[^\\u0000]*$" } as const;
/** Base64url, as every cursor of ours is. */
const CURSOR = { type: "string", minLength: 1, maxLength: 4_096, pattern: "^[A-Za-z0-9_-]*$" } as const;

const path = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string", ...ANYTHING },
  example,
});

/** Parameters that more than one address takes, or that deserve a name of their own. */
export const PARAMETERS = {
  limit: query("limit", "Page size. Anything outside 1 to 100 is refused, never clamped.", {
    type: "integer",
    minimum: 1,
    maximum: LIMITS.pageSizeMax,
    default: LIMITS.pageSizeDefault,
  }),
  cursor: query("cursor", "`nextCursor` of the page before, exactly as received. Leave it out for the first page.", CURSOR),
  sort: query("sort", "The order. A minus sign turns it round; ties are broken by id.", {
    type: "string",
    enum: POST_SORTS,
    default: DEFAULT_POST_SORT,
  }),
  sortName: query("sort", "The order: by name, accents ignored.", { type: "string", enum: ["name"], default: "name" }),
  sortMedia: query("sort", "The order: newest first.", { type: "string", enum: ["-createdAt"], default: "-createdAt" }),
  category: query("category", "Only posts of this category: its slug or id.", { type: "string", ...ANYTHING }),
  tag: query("tag", "Only posts with this tag: its slug or id.", { type: "string", ...ANYTHING }),
  author: query("author", "Only posts by this author: slug or id.", { type: "string", ...ANYTHING }),
  featured: query("featured", "Only posts that are featured, or only those that are not.", { type: "boolean" }),
  format: query("format", "Send only this form of the body.", { type: "string", enum: ["html", "markdown"] }),
  q: {
    ...query(
      "q",
      'What to look for: words, `"a phrase"`, `-without`.',
      // Something that can be seen, and no NUL.
      { type: "string", minLength: 1, maxLength: 200, pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$" },
      "bread",
    ),
    required: true,
  },
  period: query("period", "The last 7, 30 or 90 days including today (UTC), or all time.", {
    type: "string",
    enum: VIEW_PERIODS,
    default: "30d",
  }),
  since: query("since", "`cursor` of the answer before. Leave it out to start.", CURSOR),
  slugOrId: path("slugOrId", "The post's slug, a former slug, or its id.", "slow-bread"),
  slug: path("slug", "Its slug, a former slug, or its id.", "baking"),
  mediaId: path("id", "The image's id.", "media_01h455vb4pex5vsknk084sn02q"),
  token: path("token", "The token from the preview link.", "eyJ2IjoxfQ.c2lnbmF0dXJl"),
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;
export const parametersOf = (names: readonly ParameterName[]): Reference[] => names.map((name) => refTo("parameters", name));
