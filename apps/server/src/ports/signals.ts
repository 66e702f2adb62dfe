/**
 * A change, announced to everything that keeps answers or keys in memory. `content`: the published content of the website `id`.
 * `access`: a key, a website's settings, or the plan; `id` is a website or a workspace. `closed`: the key, the website or the workspace
 * `id` gives no access any more, or less; whoever cannot ask must not go on with what they know of it. `event`: something happened to a post of
 * the website `id`, and an endpoint may want to hear of it. `files`: readers may no longer see the file of an image of the website `id`.
 */
export interface Signal {
  readonly topic: "content" | "access" | "closed" | "event" | "files";
  readonly id: string;
}

export interface Signals {
  /**
   * Tells this process before the call returns, and the other processes of this node before the promise is kept: the next request here must
   * see the change. Other nodes hear it from the database.
   */
  tellHere(signal: Signal): Promise<void>;
  /**
   * Each change, of this node and of others within a second; "everything" when some may have been missed, or a version may come a second
   * time with something else in it: the database was restarted, or another server took its place that lacks the last commits.
   */
  subscribe(listener: (signal: Signal | "everything") => void): () => void;
  close(): Promise<void>;
}
