/** A request to an address that a customer gave. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  /** Null when there was none. */
  readonly status: number | null;
  /** Why there was none, for people; null when there was one. Never names an address behind the one that was given. */
  readonly error: string | null;
  /** The beginning of its text. */
  readonly text: string;
  readonly millis: number;
}

/**
 * The only way to an address that a customer gave. It is resolved once and the address that is connected to is the one that
 * was judged; redirects are not followed, and size and time are bounded.
 */
export interface Sender {
  /** Why this address can never be called, to be told when it is entered; null when it can be tried. */
  refusalOf(url: string): string | null;
  /** Posts once. Whatever the other side does is an answer; it throws only when `signal` ends it. */
  post(request: Outgoing, signal?: AbortSignal): Promise<Answer>;
}
