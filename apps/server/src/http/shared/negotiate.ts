import { LRUCache } from "lru-cache";

/** The headers by which a client chooses the form of the answer (RFC 9110, sections 12 and 13). */

export type Encoding = "identity" | "gzip" | "br";

/** No header that is meant is longer; what anybody makes up must not fill the memory. */
const LONGEST_REMEMBERED = 200;
const MOST_REMEMBERED = 500;

/** Headers that name the same few things come again and again: each text is read once. */
function remembered<Value extends {}>(read: (header: string) => Value): (header: string) => Value {
  const known = new LRUCache<string, Value>({ max: MOST_REMEMBERED });
  return (header) => {
    let value = known.get(header);
    if (value === undefined) {
      value = read(header);
      if (header.length <= LONGEST_REMEMBERED) known.set(header, value);
    }
    return value;
  };
}

/** The best that the client takes: br, then gzip, unless it prefers another. */
export const chooseEncoding: (acceptEncoding: string) => Encoding = remembered((header) => {
  const weights = weightsOf(header);
  const others = weights.get("*") ?? 0;
  const br = weights.get("br") ?? others;
  const gzip = Math.max(weights.get("gzip") ?? others, weights.get("x-gzip") ?? 0);
  const identity = weights.get("identity") ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return "br";
  return gzip > 0 && gzip >= identity ? "gzip" : "identity";
});

/** Whether Markdown is asked for by name, and at least as much as JSON. */
export const prefersMarkdown: (accept: string) => boolean = remembered((header) => {
  if (!header.toLowerCase().includes("text/markdown")) return false;
  const weights = weightsOf(header);
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("application/json") ?? 0);
});

/** `br;q=0.8, gzip` → br: 0.8, gzip: 1. A weight that cannot be read counts as 0. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = q === undefined ? 1 : /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q.slice(2)) : 0;
    if (name !== "") weights.set(name, weight);
  }
  return weights;
}

/**
 * Whether `If-None-Match` names this answer. Compared weakly, as the RFC wants it: the opaque part decides, so a tag
 * that came with a compressed answer is good for the plain one too.
 */
export function matchesEtag(ifNoneMatch: string, opaque: string): boolean {
  if (ifNoneMatch === opaque) return true;
  if (ifNoneMatch.trim() === "*") return true;
  if (!ifNoneMatch.includes(opaque)) return false;
  return ifNoneMatch.split(",").some((tag) => {
    const trimmed = tag.trim();
    return (trimmed.startsWith("W/") ? trimmed.slice(2) : trimmed) === opaque;
  });
}
