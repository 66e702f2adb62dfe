/** A response from an address that somebody else chose. */
export type Fetched =
  | {
      readonly status: number;
      /** Without parameters, in lower case; empty when the other side named none. */
      readonly contentType: string;
      readonly cacheControl: string | null;
      readonly bytes: Uint8Array;
    }
  /** Why there is no answer, for people. Never names an address behind the one that was given. */
  | { readonly error: string };

/**
 * Reads from an address that somebody else chose, under the rules of the sender: only public addresses, judged on the one that
 * is connected to, no redirects, and bounds on size and time. What is too large is an error, never a part.
 */
export interface Fetcher {
  get(url: string, limits: { accept: string; mostBytes: number; timeoutMillis: number }): Promise<Fetched>;
}
