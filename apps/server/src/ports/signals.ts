/**
 * A change, announced to everything that keeps answers or keys in memory. `content`: the published content of the website `id`.
 * `access`: a key, a website's settings, or the plan; `id` is a website or a workspace. `event`: something happened to a post of
 * the website `id`, and an endpoint may want to hear of it.
 */
export interface Signal {
  readonly topic: "content" | "access" | "event";
  readonly id: string;
}

export interface Signals {
  /** Tells this process, before the call returns: the next request here must see the change. Others hear it from the database. */
  tellHere(signal: Signal): void;
  /** Each change, of this node and of others within a second; "everything" when some may have been missed. */
  subscribe(listener: (signal: Signal | "everything") => void): () => void;
  close(): Promise<void>;
}
