/** A request to a store that somebody else runs. */
export interface GuardedRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface GuardedAnswer {
  readonly status: number;
  /** The value of a header, by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * Its bytes as they are taken. It throws when there are more than `mostBytes`, or when the other side was waited for longer than the
   * patience allows, all waiting counted together. Must be read to its end or left by `return`, which closes the connection; whoever reads
   * nothing of it calls `close`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, whatever is still to come. */
  close(): void;
}

/** The sender's rules for addresses, for requests of every kind: no redirects are followed, and time and size are bounded. */
export interface GuardedClient {
  /** Throws with words for people when there is no answer; they never name an address behind the one that was given. */
  request(request: GuardedRequest, limits: { mostBytes: number; patienceMillis: number }): Promise<GuardedAnswer>;
  close(): void;
}
