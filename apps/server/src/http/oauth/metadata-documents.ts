import { LRUCache } from "lru-cache";
import { endsAfter } from "#domain/lifetime";
import { DAY } from "#domain/time";
import type { OauthServices } from "#operations/connections/helpers/oauth-services";
import { FALLBACK_METADATA } from "./fallback-metadata.ts";
import { supportedMetadata } from "./registration.ts";

type Fetched = Awaited<ReturnType<OauthServices["fetcher"]["get"]>>;

const MOST_BYTES = 5 * 1_024;
const TIMEOUT_MILLIS = 5_000;
/** How long a document stands in for itself while its host does not answer. */
const GOOD_FOR_MILLIS = DAY;
const MOST_KEPT = 1_000;

/**
 * How the library reads a client's metadata document: through the guarded fetch, so that no document is ever read from a
 * private address, however its name resolves. Its own `fetch` would judge the address only after connecting. A host that does
 * not answer for a moment takes no connection away: what it said within a day counts, then what is known of it.
 */
export function fetchDocument({ fetcher, clock }: OauthServices): (url: string | URL | Request) => Promise<Response> {
  const kept = new LRUCache<string, string>({ max: MOST_KEPT, ...endsAfter(GOOD_FOR_MILLIS, clock) });

  function standIn(address: string): string | null {
    const last = kept.get(address);
    if (last !== undefined) return last;
    const known = FALLBACK_METADATA.get(address);
    return known
      ? JSON.stringify({ client_id: address, ...known, ...supportedMetadata(undefined), token_endpoint_auth_method: "none" })
      : null;
  }

  return async (url) => {
    const address = typeof url === "string" ? url : url instanceof URL ? url.href : url.url;
    const fetched = await fetcher.get(address, { accept: "application/json", mostBytes: MOST_BYTES, timeoutMillis: TIMEOUT_MILLIS });
    const substitute = isWithheld(fetched) ? standIn(address) : null;
    if (substitute !== null) return new Response(substitute, { headers: { "Content-Type": "application/json" } });
    if ("error" in fetched) throw new Error(fetched.error);
    const { status, contentType, cacheControl, bytes } = fetched;
    const text = reduced(bytes);
    if (status === 200) kept.set(address, text);
    else kept.delete(address);
    return new Response(text, {
      // A Response cannot have a status of 1xx, and neither is a document.
      status: status >= 200 && status <= 599 ? status : 502,
      headers: { "Content-Type": contentType, ...(cacheControl !== null && { "Cache-Control": cacheControl }) },
    });
  };
}

/** It was not shown to us. One that is gone (404, 410), or says something else by now, is the vendor's word. */
const isWithheld = (fetched: Fetched): boolean =>
  "error" in fetched || fetched.status === 403 || fetched.status === 429 || fetched.status >= 500;

/**
 * A document says what its client can do anywhere. ChatGPT's prefers to sign with keys and can do without; the library, which
 * reads only the first, would refuse it. As with a registration, what matters here is kept, and what is offered here is taken.
 */
function reduced(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const document = objectIn(text);
  // The library says what is wrong with it.
  if (!document || "client_secret" in document) return text;
  const { client_id, client_name, redirect_uris, grant_types, token_endpoint_auth_method: preferred = "none" } = document;
  const others = document["token_endpoint_auth_methods_supported"];
  return JSON.stringify({
    client_id,
    client_name,
    redirect_uris,
    ...supportedMetadata(grant_types),
    token_endpoint_auth_method: Array.isArray(others) && others.includes("none") ? "none" : preferred,
  });
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
