import type { FieldError } from "@stet/contract";

const MOST = 100;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/**
 * Origins a key may be used from: `example.com` (https), `*.example.com` (https, every subdomain, not the domain itself),
 * or a full origin such as `http://localhost:3000`. Answers the form that is stored, or what is wrong with it.
 */
export function parseOrigin(text: string): { readonly origin: string } | { readonly problem: string } {
  const written = text.trim().toLowerCase();
  if (written === "*") return { problem: "must name a domain; leave the list empty to allow any origin" };
  if (written === "null") return { problem: "cannot be null: any sandboxed page can send it" };
  if (written.includes("://")) return fullOrigin(written);
  const wildcard = written.startsWith("*.");
  const name = wildcard ? written.slice(2) : written;
  if (name.includes("*")) return { problem: "can have a * only as its first part, such as *.example.com" };
  if (name.includes("/")) return { problem: "must not have a path; write only the domain, such as example.com" };
  if (name.includes(":")) return { problem: "with a port must be a full origin, such as http://localhost:3000" };
  const host = hostOf(name);
  if (host === null) return { problem: "is not a domain; write one such as example.com" };
  if (wildcard && !host.includes(".")) return { problem: "is too wide; name a domain, such as *.example.com" };
  return { origin: wildcard ? `*.${host}` : host };
}

/** All of them, without repetitions; every one at fault is named as `origins.<position>`. */
export function parseOrigins(list: readonly string[]): { readonly origins: readonly string[]; readonly errors: readonly FieldError[] } {
  const origins = new Set<string>();
  const errors: FieldError[] = [];
  if (list.length > MOST) errors.push({ field: "origins", message: `can hold at most ${MOST} entries` });
  for (const [position, text] of list.slice(0, MOST).entries()) {
    const parsed = parseOrigin(text);
    if ("origin" in parsed) origins.add(parsed.origin);
    else errors.push({ field: `origins.${position}`, message: parsed.problem });
  }
  return { origins: [...origins], errors };
}

/**
 * Whether a request with this `Origin` header may use a key with these allowed origins. Requests without the header do
 * not come from a page of another origin; they are not asked. An empty list allows any; `null` matches no entry.
 */
export function originAllowed(allowed: readonly string[], header: string): boolean {
  if (allowed.length === 0) return true;
  const url = URL.canParse(header) ? new URL(header) : null;
  // A browser sends the canonical form and nothing else; whatever differs was made by something else.
  if (!url || url.origin === "null" || url.origin !== header) return false;
  return allowed.some((entry) => {
    if (entry.includes("://")) return entry === header;
    if (url.protocol !== "https:" || url.port !== "") return false;
    return entry.startsWith("*.") ? url.hostname.endsWith(entry.slice(1)) : url.hostname === entry;
  });
}

function fullOrigin(written: string): { readonly origin: string } | { readonly problem: string } {
  const url = URL.canParse(written) ? new URL(written) : null;
  if (!url || written.includes("*")) return { problem: "is not an origin; write one such as https://example.com or *.example.com" };
  if (url.protocol !== "https:" && url.protocol !== "http:") return { problem: "must start with https:// or http://" };
  if (url.username || url.password || url.pathname !== "/" || url.search || url.hash) {
    return { problem: "must end after the domain and port, such as https://example.com" };
  }
  return { origin: url.origin };
}

/** In ASCII, as browsers send it. */
function hostOf(name: string): string | null {
  // These would make the parser read only a part of it as the host.
  if (name === "" || /[@?#\\%]/.test(name) || !URL.canParse(`https://${name}`)) return null;
  const { hostname, host } = new URL(`https://${name}`);
  return hostname === host && hostname.length <= 253 && HOST.test(hostname) ? hostname : null;
}
