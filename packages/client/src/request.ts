import { invalidInput, StetError, type StetErrorFacts } from "./error.ts";
import type { CachedAnswer, CallOptions, ClientOptions } from "./options.ts";
import { createPace } from "./pace.ts";
import { EVERYTHING_TAG } from "./tags.ts";
import type { Time } from "./time.ts";

interface Asked {
  /** Below /v1. */
  readonly path: string;
  readonly query?: object | undefined;
  /** The content type of an answer that is a text; JSON without it. */
  readonly textType?: string;
  /** Stands in the address and opens it: sent without a key, and kept out of messages. */
  readonly secret?: string;
  /** What a page of Next.js that shows the answer is revalidated by. */
  readonly tags?: readonly string[];
}

/** Asks the service, as often as it takes, and answers the parsed body. */
export type Ask = <Answer>(asked: Asked, options?: CallOptions) => Promise<Answer>;

/** Longer than that nobody waits for a request. */
const LONGEST_WAIT_SECONDS = 60;

export function createAsk(options: ClientOptions, time: Time): Ask {
  const { cache } = options;
  const base = baseOf(options.url);
  const apiKey = keyOf(options.apiKey);
  const defaults = { timeoutMs: options.timeoutMs ?? 15_000, retries: options.retries ?? 3 };
  check(defaults);
  const concurrency = options.concurrency ?? 8;
  if (!(concurrency >= 1)) throw invalidInput("concurrency must be 1 or more.");
  const pace = createPace(concurrency, time);

  return async <Answer>(asked: Asked, given: CallOptions = {}): Promise<Answer> => {
    const call = { ...given, timeoutMs: given.timeoutMs ?? defaults.timeoutMs, retries: given.retries ?? defaults.retries };
    check(call);
    const url = base + asked.path + queryOf(asked.query);
    for (let attempt = 0; ; attempt++) {
      const result = await once(url, asked, call);
      if ("answer" in result) return result.answer as Answer;
      const { error } = result;
      const wait = error.retryAfter ?? Math.min(8, 0.25 * 2 ** attempt) * (0.5 + Math.random() / 2);
      if (!isWorthRetrying(error) || attempt >= call.retries || wait > LONGEST_WAIT_SECONDS) throw error;
      if (error.status === 429) pace.pause(wait * 1_000);
      try {
        await time.sleep(wait * 1_000, call.signal);
      } catch (reason) {
        throw aborted(reason);
      }
    }
  };

  async function once(
    url: string,
    asked: Asked,
    call: CallOptions & { timeoutMs: number },
  ): Promise<{ answer: unknown } | { error: StetError }> {
    const { signal } = call;
    let leave: () => void;
    try {
      leave = await pace.enter(signal);
    } catch (reason) {
      return { error: aborted(reason) };
    }
    const controller = new AbortController();
    const stop = () => controller.abort(signal!.reason);
    signal?.addEventListener("abort", stop, { once: true });
    // It may have been aborted while the turn came.
    if (signal?.aborted) stop();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, call.timeoutMs);
    // Some implementations of fetch go on reading a body whose request was aborted.
    const late = new Promise<never>((_resolve, reject) => {
      controller.signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    });
    late.catch(() => {});
    try {
      const send = async () => {
        const cached = asked.secret === undefined && cache ? await fromCache(() => cache.get(url), asked) : null;
        // The cache may have taken longer than anybody waits.
        controller.signal.throwIfAborted();
        const response = await (options.fetch ?? fetch)(url, initOf(asked, call, cached, controller.signal));
        pace.heard(response.headers);
        return { response, body: await response.text(), cached };
      };
      const { response, body, cached } = await Promise.race([send(), late]);
      return read(asked, url, response, body, cached, call.freshOnly);
    } catch (thrown) {
      if (signal?.aborted) return { error: aborted(signal.reason) };
      if (isLate) return { error: new StetError(`There was no answer within ${call.timeoutMs} ms.`, { code: "TIMEOUT" }) };
      if (StetError.is(thrown)) return { error: thrown };
      const cause = retold(thrown, (text) => hide(text, asked));
      return { error: new StetError("The server could not be reached, or the connection broke.", { code: "NETWORK_ERROR", cause }) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      leave();
    }
  }

  function initOf(asked: Asked, call: CallOptions, cached: CachedAnswer | null, signal: AbortSignal): RequestInit {
    const headers: Record<string, string> = {
      Accept: asked.textType ?? "application/json",
      ...call.headers,
      ...(asked.secret === undefined && { Authorization: `Bearer ${apiKey}` }),
      ...(cached && { "If-None-Match": cached.etag }),
    };
    const given = call.fetchOptions as { next?: { tags?: readonly string[] } } | undefined;
    const next = options.nextTags &&
      asked.tags && { next: { ...given?.next, tags: [EVERYTHING_TAG, ...asked.tags, ...(given?.next?.tags ?? [])] } };
    return { ...given, ...next, headers, signal } as RequestInit;
  }

  function read(
    asked: Asked,
    url: string,
    response: Response,
    body: string,
    cached: CachedAnswer | null,
    freshOnly: boolean | undefined,
  ): { answer: unknown } {
    const { status, headers } = response;
    const requestId = headers.get("x-request-id");
    const facts = { status, requestId, retryAfter: secondsOf(headers.get("retry-after")) };
    if (freshOnly && /fwd=stale/.test(headers.get("cache-status") ?? "")) {
      throw new StetError("The server's database is away: this answer is old.", {
        ...facts,
        status: 503,
        code: "CONTENT_STORE_UNAVAILABLE",
      });
    }
    if (status === 304 && cached) return { answer: parsed(asked, cached.body, facts) };
    const type = headers.get("content-type") ?? "";
    const isJson = /\bjson\b/.test(type);
    if (status === 200 && (asked.textType === undefined ? isJson : type.includes(asked.textType))) {
      const answer = parsed(asked, body, facts);
      const etag = headers.get("etag");
      if (cache && etag && asked.secret === undefined) void fromCache(() => cache.set(url, { etag, body }), asked);
      return { answer };
    }
    const problem = isJson && status >= 400 ? (parseOrNull(hide(body, asked)) as Problem | null) : null;
    if (typeof problem?.code === "string") {
      const { code, detail, errors } = problem;
      const name = requestId ? ` (request ${requestId})` : "";
      throw new StetError(`${code}: ${detail ?? ""}${name}`, { ...facts, code, ...(errors && { errors }) });
    }
    throw notStet(facts);
  }

  function parsed(asked: Asked, body: string, facts: Omit<StetErrorFacts, "code">): unknown {
    if (asked.textType !== undefined) return body;
    const answer = parseOrNull(body);
    if (typeof answer === "object" && answer !== null && "data" in answer) return answer;
    throw notStet(facts);
  }

  function hide(text: string, { secret }: Asked): string {
    const secrets = secret ? [apiKey, secret, encodeURIComponent(secret)] : [apiKey];
    return secrets.reduce((shown, word) => shown.replaceAll(word, "…"), text);
  }
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: { field: string; message: string }[];
}

const notStet = (facts: Omit<StetErrorFacts, "code">): StetError =>
  new StetError(`The answer (status ${facts.status}) is not one of Stet's API. Is url the address of a Stet server?`, {
    ...facts,
    code: "INVALID_RESPONSE",
  });

const aborted = (cause: unknown): StetError => new StetError("The request was aborted.", { code: "ABORTED", cause });

/** A month that is spent comes back on the 1st: no wait of a program helps. */
function isWorthRetrying({ status, code }: StetError): boolean {
  if (code === "QUOTA_EXCEEDED") return false;
  return code === "NETWORK_ERROR" || code === "TIMEOUT" || status === 408 || status === 429 || status >= 500;
}

function check({ timeoutMs, retries }: { timeoutMs: number; retries: number }): void {
  // Timers hold 31 bits: a longer time would be none at all.
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw invalidInput("timeoutMs must be over 0 and below 2147483648.");
  if (!(retries >= 0)) throw invalidInput("retries must be 0 or more.");
}

function keyOf(key: unknown): string {
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) return key;
  throw invalidInput("apiKey must be the key that the dashboard showed: it begins with stet_. Is the environment variable set?");
}

function baseOf(url: unknown): string {
  const found = typeof url === "string" && /^https?:\/\/[^?#@]+$/.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!found)
    throw invalidInput(
      "url must be the address of your Stet server, such as https://stet.example.com, without a query. Is the environment variable set?",
    );
  return `${found.href.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined) continue;
    const isPlain = (typeof value === "string" && value !== "") || typeof value === "boolean" || Number.isFinite(value);
    if (!isPlain) throw invalidInput(`${name} must be a text that is not empty, a number or a boolean.`);
    if (name === "limit" && !(Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 100)) {
      throw invalidInput("limit must be a whole number from 1 to 100.");
    }
    parameters.set(name, String(value as string | number | boolean));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** Seconds, or a date as proxies send it. */
function secondsOf(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

function parseOrNull(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

/** A cache is a convenience: one that is broken, or holds something else, is as good as empty. */
async function fromCache(use: () => unknown, { textType }: Asked): Promise<CachedAnswer | null> {
  try {
    const found = (await use()) as CachedAnswer | null | undefined;
    const isWhole = typeof found?.etag === "string" && (textType === undefined ? parseOrNull(found.body) !== null : found.body !== "");
    return isWhole ? found : null;
  } catch {
    return null;
  }
}

/**
 * An error of somebody else's in our words: what it says, without secrets, and its code. It is not handed on itself, because an implementation
 * of fetch can hang the request, with its key, on the error, and a log prints all of it.
 */
function retold(error: unknown, hide: (text: string) => string, depth = 0): Error | undefined {
  if (!(error instanceof Error)) return typeof error === "string" ? new Error(hide(error)) : undefined;
  const { name, message, stack, cause, code } = error as Error & { readonly code?: unknown };
  const told = new Error(hide(message));
  told.name = hide(name);
  if (stack) told.stack = hide(stack);
  const inner = depth < 5 ? retold(cause, hide, depth + 1) : undefined;
  if (inner) told.cause = inner;
  return typeof code === "string" ? Object.assign(told, { code: hide(code) }) : told;
}
