/** What of other services can stand in a post. A closed list: only an id of the expected form is kept, never the writer's address. */
export type Embed =
  | { readonly kind: "youtube"; readonly id: string; readonly start?: string }
  | { readonly kind: "vimeo"; readonly id: string; readonly hash?: string }
  | { readonly kind: "codepen"; readonly user: string; readonly id: string }
  | { readonly kind: "x"; readonly user: string; readonly id: string }
  | { readonly kind: "gist"; readonly user: string; readonly id: string };

type Kind = Embed["kind"];
type Parts = Readonly<Record<string, string | undefined>>;

const YOUTUBE_HOSTS = new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "youtube-nocookie.com", "www.youtube-nocookie.com"]);
const X_HOSTS = new Set(["x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"]);

const PROVIDERS: { readonly [K in Kind]: { make(parts: Parts): Embed | null; fromUrl(url: URL): Parts | null } } = {
  youtube: {
    make: ({ id = "", start }) =>
      /^[\w-]{11}$/.test(id) ? { kind: "youtube", id, ...(start !== undefined && /^[0-9]{1,6}$/.test(start) ? { start } : {}) } : null,
    fromUrl: (url) => {
      const start = (url.searchParams.get("start") ?? url.searchParams.get("t") ?? "").replace(/s$/, "");
      const [first, second] = segments(url);
      if (url.hostname === "youtu.be") return { id: first, start };
      if (!YOUTUBE_HOSTS.has(url.hostname)) return null;
      if (first === "watch") return { id: url.searchParams.get("v") ?? undefined, start };
      return first === "embed" || first === "shorts" || first === "live" ? { id: second, start } : null;
    },
  },
  vimeo: {
    make: ({ id = "", hash }) =>
      /^[0-9]{5,12}$/.test(id) ? { kind: "vimeo", id, ...(hash !== undefined && /^[0-9a-f]{6,20}$/.test(hash) ? { hash } : {}) } : null,
    fromUrl: (url) => {
      const parts = segments(url);
      if (url.hostname === "player.vimeo.com")
        return parts[0] === "video" ? { id: parts[1], hash: url.searchParams.get("h") ?? undefined } : null;
      return url.hostname === "vimeo.com" || url.hostname === "www.vimeo.com" ? { id: parts[0], hash: parts[1] } : null;
    },
  },
  codepen: {
    make: ({ user = "", id = "" }) => (/^[\w-]{1,40}$/.test(user) && /^[A-Za-z0-9]{5,40}$/.test(id) ? { kind: "codepen", user, id } : null),
    fromUrl: (url) => {
      const [user, view, id] = segments(url);
      return url.hostname === "codepen.io" && /^(?:pen|embed|full|details)$/.test(view ?? "") ? { user, id } : null;
    },
  },
  x: {
    make: ({ user = "", id = "" }) => (/^\w{1,15}$/.test(user) && /^[0-9]{1,20}$/.test(id) ? { kind: "x", user, id } : null),
    fromUrl: (url) => {
      const [user, view, id] = segments(url);
      return X_HOSTS.has(url.hostname) && view === "status" ? { user, id } : null;
    },
  },
  gist: {
    make: ({ user = "", id = "" }) =>
      /^[A-Za-z0-9-]{1,39}$/.test(user) && /^[0-9a-f]{5,40}$/.test(id) ? { kind: "gist", user, id } : null,
    fromUrl: (url) => {
      const [user, id] = segments(url);
      return url.hostname === "gist.github.com" ? { user, id } : null;
    },
  },
};

/** The embed a directive names, or null when it is none of ours or its id has not the expected form. */
export function embedOf(name: string, given: Parts): Embed | null {
  if (!Object.hasOwn(PROVIDERS, name)) return null;
  const provider = PROVIDERS[name as Kind];
  if (given["url"] === undefined) return provider.make(given);
  const url = webUrl(given["url"]);
  const parts = url === null ? null : provider.fromUrl(url);
  return parts === null ? null : provider.make(parts);
}

/** The embed that an address leads to, or null. */
export function embedAt(address: string): Embed | null {
  const url = webUrl(address);
  if (url === null) return null;
  for (const provider of Object.values(PROVIDERS)) {
    const parts = provider.fromUrl(url);
    if (parts !== null) return provider.make(parts);
  }
  return null;
}

function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url : null;
}

const segments = (url: URL): string[] => url.pathname.split("/", 6).filter((part) => part !== "");
