type Headers = Readonly<Record<string, string>>;

/** What a scripted server does with a request: plain data, so that a test in a browser can tell it to a server outside. */
export interface Step {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Answers whole unless told; `never` answers nothing; `cut` and `stall` send half of it and break off, or stop; `later` waits for `release`. */
  readonly way?: "never" | "cut" | "stall" | "later";
}

export interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface ScriptedServer {
  readonly url: string;
  /** Every request so far. */
  asked(): Promise<readonly Asked[]>;
  /** How many requests were open at a time. */
  most(): Promise<number>;
  /** Answers the oldest request that waits. */
  release(): Promise<void>;
}

export const plain = (status: number, body: string, headers: Headers = {}): Step => ({ status, headers, body });
export const json = (status: number, value: unknown, headers: Headers = {}): Step =>
  plain(status, JSON.stringify(value), { "Content-Type": "application/json", "X-Request-Id": "req_1", ...headers });
export const problem = (status: number, code: string, headers: Headers = {}, detail = "What to do next."): Step =>
  json(status, { status, code, detail, title: code, requestId: "req_1" }, { "Content-Type": "application/problem+json", ...headers });
export const page = (items: unknown[] = [], nextCursor: string | null = null, headers: Headers = {}): Step =>
  json(200, { data: items, pagination: { hasNext: nextCursor !== null, nextCursor, limit: 25 } }, headers);

export const silent: Step = { ...plain(200, ""), way: "never" };
export const refused: Step = { ...plain(200, ""), way: "cut" };
export const cut: Step = { ...page(["a".repeat(1_000)]), way: "cut" };
export const stalled: Step = { ...page(["a"]), way: "stall" };
