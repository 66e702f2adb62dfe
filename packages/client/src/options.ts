/** What a call can be told, whatever it asks for: the last argument of every method. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, its body included, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated. */
  readonly retries?: number | undefined;
  /** Tries again, and then throws, instead of taking an old answer that the server kept for when its database is away. */
  readonly freshOnly?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Handed to `fetch` as it is: `cache`, `next`, `cf` and the like. */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** An answer that was kept with its ETag. */
export interface CachedAnswer {
  readonly etag: string;
  readonly body: string;
}

/** Keeps answers, so that what did not change costs a 304, which is free. One that fails is gone without. */
export interface Cache {
  get(key: string): CachedAnswer | null | undefined | Promise<CachedAnswer | null | undefined>;
  set(key: string, answer: CachedAnswer): unknown;
}

export interface ClientOptions {
  /** Reads the published posts of one website. Undefined is taken, as `process.env` has it, and refused with what to do. */
  readonly apiKey: string | undefined;
  /** The address of the Stet server, such as `https://stet.example.com`. */
  readonly url: string | undefined;
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How long one attempt may take, its body included, in milliseconds; 15,000 unless told. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated; 3 unless told. */
  readonly retries?: number | undefined;
  /** How many requests are on their way at a time; 8 unless told. */
  readonly concurrency?: number | undefined;
  readonly cache?: Cache | undefined;
  /** Tags what `fetch` of Next.js caches, so that the webhook handler of `@stet/client/next` can revalidate it. */
  readonly nextTags?: boolean | undefined;
}
