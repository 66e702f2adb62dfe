import { USER_ID_PREFIX } from "@stet/markdown";
import { safeImageUrl, safeLinkUrl } from "./urls.ts";

/**
 * The elements and attributes allowed in the HTML of a post, whoever wrote it: our own renderer, raw HTML in the Markdown, or a database that
 * is not ours. One list for all three. No `style`, no event handlers, no forms, no foreign content (SVG, MathML), and no
 * element whose content is anything but markup, so that what we write is read back the same by every parser.
 */
const ELEMENTS = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr th td hr div section aside figure figcaption " +
    "details summary a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr input"
  ).split(" "),
);

const VOID = new Set(["br", "hr", "img", "input", "wbr"]);

const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/** Elements that end a line of plain text. */
const BLOCKS = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr th td hr div section aside figure figcaption details summary br".split(
    " ",
  ),
);

export const isAllowedElement = (tag: string): boolean => ELEMENTS.has(tag);
export const isVoidElement = (tag: string): boolean => VOID.has(tag);
export const isBlockElement = (tag: string): boolean => BLOCKS.has(tag);
export const isHeadingElement = (tag: string): boolean => HEADINGS.has(tag);

/** The classes we write ourselves. Others are dropped: a website's own style sheet is not the writer's to reach into. */
const CLASS =
  /^(?:language-[\w+#.-]{1,40}|callout|callout-(?:note|tip|info|warning|danger|title)|embed|embed-(?:youtube|vimeo|codepen|x|gist)|task-list-item|contains-task-list|stet-figure|stet-figure-(?:wide|full)|footnotes|footnote-(?:ref|backref)|markdown-source)$/;

const anyText = (value: string): string => value;
const oneOf =
  (...words: string[]) =>
  (value: string): string | null => {
    const lower = value.toLowerCase();
    return words.includes(lower) ? lower : null;
  };
const wholeNumber = (value: string): string | null => (/^-?[0-9]{1,9}$/.test(value) ? value : null);
const span = (value: string): string | null => (/^[1-9][0-9]{0,2}$/.test(value) ? value : null);
const pixels = (value: string): string | null => (/^[0-9]{1,5}%?$/.test(value) ? value : null);
const present = (): string => "";

const wordsOf = (value: string, keep: (word: string) => boolean): string | null => {
  const kept = value.slice(0, 1_000).split(/\s+/).filter(keep).join(" ");
  return kept === "" ? null : kept;
};
const REL = new Set(["nofollow", "sponsored", "ugc", "me", "author", "license", "noopener", "noreferrer"]);

type Check = (value: string) => string | null;
const GLOBAL: Readonly<Record<string, Check>> = {
  class: (value) => wordsOf(value, (word) => CLASS.test(word)),
  dir: oneOf("ltr", "rtl", "auto"),
  id: (value) => (/^\S{1,200}$/.test(value) ? (value.startsWith(USER_ID_PREFIX) ? value : USER_ID_PREFIX + value) : null),
  lang: (value) => (/^[A-Za-z0-9-]{1,35}$/.test(value) ? value : null),
  title: anyText,
};
const CELL: Readonly<Record<string, Check>> = { align: oneOf("left", "center", "right"), colspan: span, rowspan: span };
const OF_ELEMENT: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  a: {
    href: safeLinkUrl,
    target: oneOf("_blank"),
    rel: (value) => wordsOf(value.toLowerCase(), (word) => REL.has(word)),
    "aria-label": anyText,
  },
  img: { src: safeImageUrl, alt: anyText, width: pixels, height: pixels },
  ol: { start: wholeNumber, reversed: present, type: (value) => (/^[1aAiI]$/.test(value) ? value : null) },
  li: { value: wholeNumber },
  th: { ...CELL, scope: oneOf("row", "col", "rowgroup", "colgroup") },
  td: CELL,
  time: { datetime: (value) => (/^[\w:.+ -]{1,40}$/.test(value) ? value : null) },
  details: { open: present },
  input: { checked: present },
};

export type Attributes = ReadonlyMap<string, string>;
export const NO_ATTRIBUTES: Attributes = new Map();

/** The attributes that may stay, checked and completed; null when the element says nothing without what was refused. */
export function allowedAttributes(tag: string, given: Attributes): Attributes | null {
  const own = OF_ELEMENT[tag];
  const kept = given.size === 0 ? NO_ATTRIBUTES : keepAllowed(own, given);
  if (tag === "img") return imageAttributes(kept);
  if (tag === "a") return linkAttributes(kept);
  if (tag === "input") return checkboxAttributes(given, kept);
  return kept;
}

function keepAllowed(own: Readonly<Record<string, Check>> | undefined, given: Attributes): Attributes {
  const kept = new Map<string, string>();
  for (const [name, value] of given) {
    const check = own !== undefined && Object.hasOwn(own, name) ? own[name] : Object.hasOwn(GLOBAL, name) ? GLOBAL[name] : undefined;
    const allowed = check?.(value) ?? null;
    if (allowed !== null) kept.set(name, allowed);
  }
  return kept;
}

function imageAttributes(kept: Attributes): Attributes | null {
  const src = kept.get("src");
  if (src === undefined) return null;
  const rest = [...kept].filter(([name]) => name !== "src" && name !== "alt");
  return new Map([["src", src], ["alt", kept.get("alt") ?? ""], ...rest, ["loading", "lazy"], ["decoding", "async"]]);
}

/**
 * Links are followed by search engines: the people who write a blog vouch for what they link to, and can say
 * `rel="sponsored"` or `nofollow` themselves. Only a link that opens a new window needs `noopener noreferrer`.
 */
function linkAttributes(kept: Attributes): Attributes {
  if (!kept.has("target")) return kept;
  const rel = new Set((kept.get("rel") ?? "").split(" ").filter((word) => word !== ""));
  return new Map([...kept, ["rel", [...rel.add("noopener").add("noreferrer")].join(" ")]]);
}

/** The only input is a task list's box, and it is for reading. */
function checkboxAttributes(given: Attributes, kept: Attributes): Attributes | null {
  if (given.get("type")?.toLowerCase() !== "checkbox") return null;
  return new Map([["type", "checkbox"], ["disabled", ""], ...(kept.has("checked") ? [["checked", ""] as const] : [])]);
}
