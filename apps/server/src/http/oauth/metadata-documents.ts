import type { Services } from "#operations/kernel/services";

const MOST_BYTES = 5 * 1_024;
const TIMEOUT_MILLIS = 5_000;

/**
 * How the library reads a client's metadata document: through the guarded fetch, so that no document is ever read from a
 * private address, however its name resolves. Its own `fetch` would judge the address only after connecting.
 */
export const fetchDocument =
  ({ fetcher }: Services) =>
  async (url: string | URL | Request): Promise<Response> => {
    const address = typeof url === "string" ? url : url instanceof URL ? url.href : url.url;
    const fetched = await fetcher.get(address, { accept: "application/json", mostBytes: MOST_BYTES, timeoutMillis: TIMEOUT_MILLIS });
    if ("error" in fetched) throw new Error(fetched.error);
    const { status, contentType, cacheControl, bytes } = fetched;
    return new Response(new Uint8Array(bytes), {
      // A Response cannot have a status of 1xx, and neither is a document.
      status: status >= 200 && status <= 599 ? status : 502,
      headers: { "Content-Type": contentType, ...(cacheControl !== null && { "Cache-Control": cacheControl }) },
    });
  };
