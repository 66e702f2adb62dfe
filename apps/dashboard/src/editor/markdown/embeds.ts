import { attributesOf } from "./directive-line.ts";

/** What can be embedded. The service decides by the same forms; a test compares the two over many lines. */
export const EMBED_KINDS = ["youtube", "vimeo", "codepen", "x", "gist"] as const;
export type EmbedKind = (typeof EMBED_KINDS)[number];
type Parts = Readonly<Record<string, string | undefined>>;

const YOUTUBE = new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "youtube-nocookie.com", "www.youtube-nocookie.com"]);
const X = new Set(["x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"]);

const FORMS: Readonly<Record<EmbedKind, Readonly<Record<string, RegExp>>>> = {
  youtube: { id: /^[\w-]{11}$/ },
  vimeo: { id: /^[0-9]{5,12}$/ },
  codepen: { user: /^[\w-]{1,40}$/, id: /^[A-Za-z0-9]{5,40}$/ },
  x: { user: /^\w{1,15}$/, id: /^[0-9]{1,20}$/ },
  gist: { user: /^[A-Za-z0-9-]{1,39}$/, id: /^[0-9a-f]{5,40}$/ },
};

const FROM_URL: Readonly<Record<EmbedKind, (url: URL, path: readonly string[]) => Parts | null>> = {
  youtube: (url, [first, second]) => {
    if (url.hostname === "youtu.be") return { id: first };
    if (!YOUTUBE.has(url.hostname)) return null;
    if (first === "watch") return { id: url.searchParams.get("v") ?? undefined };
    return first === "embed" || first === "shorts" || first === "live" ? { id: second } : null;
  },
  vimeo: (url, [first, second]) => {
    if (url.hostname === "player.vimeo.com") return first === "video" ? { id: second } : null;
    return url.hostname === "vimeo.com" || url.hostname === "www.vimeo.com" ? { id: first } : null;
  },
  codepen: (url, [user, view, id]) =>
    url.hostname === "codepen.io" && /^(?:pen|embed|full|details)$/.test(view ?? "") ? { user, id } : null,
  x: (url, [user, view, id]) => (X.has(url.hostname) && view === "status" ? { user, id } : null),
  gist: (url, [user, id]) => (url.hostname === "gist.github.com" ? { user, id } : null),
};

const isKind = (name: string): name is EmbedKind => Object.hasOwn(FORMS, name);

/** Whether `::name{attributes}` is an embed; the service leaves any other such line as text. */
export function isEmbed(name: string, attributes: string): boolean {
  if (!isKind(name)) return false;
  const given = attributesOf(attributes);
  return hasForm(name, given["url"] === undefined ? given : partsOf(name, given["url"]));
}

/** The kind of embed that an address leads to, or null. */
export function embedKindOf(address: string): EmbedKind | null {
  return EMBED_KINDS.find((kind) => hasForm(kind, partsOf(kind, address))) ?? null;
}

function partsOf(kind: EmbedKind, address: string): Parts | null {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return FROM_URL[kind](
    url,
    url.pathname.split("/", 6).filter((part) => part !== ""),
  );
}

function hasForm(kind: EmbedKind, parts: Parts | null): boolean {
  return parts !== null && Object.entries(FORMS[kind]).every(([name, form]) => form.test(parts[name] ?? ""));
}
