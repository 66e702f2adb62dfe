import { type Entry, joinFile, readEntries, splitFile, textsOf } from "./front-matter.ts";
import { settle, type Value, wrong, writeKey, writeValue } from "./yaml-value.ts";

/** What a person writes. A key that is not in the file stays as it is on the server. */
export interface PostContent {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  /** Names, or ids where a name is not enough. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly featured: boolean;
  readonly coverImage: string | null;
  readonly coverAlt: string | null;
  readonly seo: Readonly<Record<string, Value>>;
  readonly fields: Readonly<Record<string, Value>>;
  readonly body: string;
}

export interface PostFile {
  /** Which post, and the version that was pulled; null in a file that is new. */
  readonly post: { readonly id: string; readonly version: number } | null;
  readonly content: Partial<PostContent>;
}

type Kind = "text" | "texts" | "flag" | "text or null" | "map";
/** In the order in which they are written. */
const KINDS = {
  title: "text",
  slug: "text",
  excerpt: "text",
  categories: "texts",
  tags: "texts",
  authors: "texts",
  featured: "flag",
  coverImage: "text or null",
  coverAlt: "text or null",
  seo: "map",
  fields: "map",
} as const satisfies Record<Exclude<keyof PostContent, "body">, Kind>;
const SEO: Readonly<Record<string, Kind>> = {
  title: "text or null",
  description: "text or null",
  canonicalUrl: "text or null",
  ogImageUrl: "text or null",
  noindex: "flag",
};
const KNOWN = ["id", "version", ...Object.keys(KINDS)];

export const isPostId = (text: string): boolean => /^post_[0-9a-z]{26}$/.test(text);

/** Reads a file, or throws a `FrontMatterError` that says which line to change. */
export function readPostFile(text: string): PostFile {
  const { lines, body } = splitFile(text);
  const entries = readEntries(lines);
  const content: Record<string, unknown> = { body };
  for (const [key, entry] of entries) {
    if (!KNOWN.includes(key)) wrong(`line ${entry.line}: ${key} is not known here. Known: ${KNOWN.join(", ")}`);
    if (key in KINDS) content[key] = valueOf(key, KINDS[key as keyof typeof KINDS], entry);
  }
  for (const [key, value] of Object.entries((content["seo"] ?? {}) as Record<string, Value>)) {
    const at = `line ${entries.get("seo")!.line}: seo`;
    if (!Object.hasOwn(SEO, key)) wrong(`${at}.${key} is not known here. Known: ${Object.keys(SEO).join(", ")}`);
    const isFit = SEO[key] === "flag" ? typeof value === "boolean" : value === null || typeof value === "string";
    if (!isFit) wrong(`${at}.${key} must be ${SEO[key] === "flag" ? "true or false" : "text in double quotes, or null"}`);
  }
  return { post: identityOf(entries), content: content as Partial<PostContent> };
}

function identityOf(entries: ReadonlyMap<string, Entry>): PostFile["post"] {
  const [id, version] = [entries.get("id"), entries.get("version")];
  if (!id && !version) return null;
  if (!id || !version) return wrong("id and version belong together. For a new post, remove both; else pull it again");
  const name = textOf(id);
  if (name === null || !isPostId(name)) wrong(`line ${id.line}: id must be the id of a post (post_…)`);
  const number = "read" in version ? settle(version.read) : null;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) wrong(`line ${version.line}: version must be a number`);
  return { id: name!, version: number as number };
}

function valueOf(key: string, kind: Kind, entry: Entry): unknown {
  const bad = (expected: string) => wrong(`line ${entry.line}: ${key} must be ${expected}`);
  if (kind === "map") {
    if ("map" in entry) return Object.fromEntries(entry.map);
    const value = "read" in entry ? settle(entry.read) : [];
    if (value === null) return {};
    return typeof value === "object" && !Array.isArray(value) ? value : bad("lines below it, each indented by two spaces");
  }
  if (kind === "texts") {
    const texts = textsOf(entry)?.map((read) => ("plain" in read ? read.plain : read.value));
    return texts?.every((text) => typeof text === "string") ? texts : bad("a list of texts, such as [News, Travel]");
  }
  if (kind === "flag") {
    const value = "read" in entry ? settle(entry.read) : null;
    return typeof value === "boolean" ? value : bad("true or false");
  }
  const isNull = "read" in entry && "value" in entry.read && entry.read.value === null;
  if (isNull && kind === "text or null") return null;
  return textOf(entry) ?? bad(kind === "text" ? 'text; write "" for none' : "text, or null");
}

/** A text, with or without quotes; null when it is something else. */
function textOf(entry: Entry): string | null {
  if (!("read" in entry)) return null;
  if ("plain" in entry.read) return entry.read.plain;
  return typeof entry.read.value === "string" ? entry.read.value : null;
}

/** The file of a post, always the same for the same post. */
export function writePostFile(post: { readonly id: string; readonly version: number }, content: PostContent): string {
  const lines = [`id: ${post.id}`, `version: ${post.version}`];
  for (const key of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    const value = content[key];
    if (KINDS[key] !== "map") lines.push(`${key}: ${writeValue(value as Value)}`);
    else {
      const inner = Object.entries(value as Readonly<Record<string, Value>>);
      if (inner.length > 0) lines.push(`${key}:`, ...inner.map(([name, each]) => `  ${writeKey(name)}: ${writeValue(each)}`));
    }
  }
  return joinFile(lines, content.body);
}

/**
 * The same file with other values of these keys, every other byte as it was: comments, the order of keys and line ends are their owner's.
 * A slug is only replaced; the others are added where they are missing.
 */
export function setKeys(text: string, values: { readonly id: string; readonly version: number; readonly slug: string }): string {
  const [, fence, front, rest] = /^(\ufeff?---[ \t]*\r?\n)([^]*?)(^---[ \t]*\r?(?:\n[^]*)?)$/m.exec(text) ?? wrong("no front matter");
  const missing: string[] = [];
  let changed = front!;
  for (const [key, value] of [
    ["id", values.id],
    ["version", values.version],
    ["slug", values.slug],
  ] as const) {
    const line = new RegExp(`^${key}:[^\r\n]*`, "m");
    if (line.test(changed)) changed = changed.replace(line, () => `${key}: ${writeValue(value)}`);
    else if (key !== "slug") missing.push(`${key}: ${value}${fence!.endsWith("\r\n") ? "\r\n" : "\n"}`);
  }
  return fence! + missing.join("") + changed + rest!;
}
