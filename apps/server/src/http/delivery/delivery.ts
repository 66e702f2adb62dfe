import type { ReadRoute } from "#delivery/read-route";
import type { DeliveryServices } from "#delivery/services";
import { fail } from "#domain/failure";
import { planWords } from "#domain/plan-words";
import { createClientAddress } from "../shared/client-address.ts";
import type { Handler, HttpLog, RequestContext } from "../dispatcher.ts";
import { isHangUp } from "../shared/hang-up.ts";
import { headerOf } from "../shared/header-of.ts";
import { answerProblem, isUnexpected } from "../shared/problem.ts";
import { commonHeaders, sendNotModified, sendCached, sendPreflight } from "./answer.ts";
import { startCounting } from "#usage/counting";
import type { Exchange } from "./exchange.ts";
import { createGate } from "./gate.ts";
import { createKeyCache, type KeyEntry } from "./key-cache.ts";
import { hasRequestsLeft, spendOne, spent } from "#usage/meters";
import { createRates, type Rates } from "#usage/rates/rates";
import { type DeliveryMetrics, createTally } from "./metrics.ts";
import { chooseEncoding, matchesEtag, prefersMarkdown } from "../shared/negotiate.ts";
import { bytesIn, encodingFor, type CachedResponse } from "../shared/cached-response.ts";
import { createCachedResponses } from "./cached-responses.ts";
import type { PublicRoute } from "./public-route.ts";
import type { Match } from "../shared/router.ts";
import { createRoutes, type DeliveryRoute } from "./routes.ts";
import { createTargets, type Target } from "./targets.ts";
import { createWebsiteStates } from "./website-state.ts";

export interface DeliveryOptions {
  readonly services: DeliveryServices;
  readonly readRoutes: readonly ReadRoute[];
  /** Addresses below /v1 that need no key. */
  readonly publicRoutes?: readonly PublicRoute[];
  readonly log: HttpLog;
  /** Whose `X-Forwarded-For` is believed (STET_TRUST_PROXY). */
  readonly trustedProxies?: true | readonly string[];
  /** Room for ready answers, in bytes. 0: nothing is kept. */
  readonly cacheBytes?: number;
  /** How long a content store may take for one answer. */
  readonly loadTimeoutMillis?: number;
  /** How often counters are stored. */
  readonly flushMillis?: number;
  /** The buckets that are shared with other nodes; without, this node counts for itself. */
  readonly rates?: Rates;
}

export interface Delivery extends Handler {
  /** Stores what was counted, now. */
  flush(): Promise<void>;
  metrics(): DeliveryMetrics;
  /** Stops listening for changes and stores the last counters. */
  close(): Promise<void>;
}

/** Where it is mounted. */
export const DELIVERY_PATH = "/v1";
const CACHE_BYTES = 64 * 1024 * 1024;
/** Longer than any answer takes, shorter than proxies wait. */
const LOAD_TIMEOUT_MILLIS = 25_000;
const FLUSH_MILLIS = 1_000;

/**
 * The read path on bare node:http: route, key, origin, buckets, quota, then an answer that is ready as bytes. For a key, a
 * website and an address that were seen before, nothing on the way waits for anything.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { services, log } = options;
  const routes = createRoutes(options.readRoutes, options.publicRoutes ?? []);
  const counting = startCounting({ services, routes: routes.names, log, flushMillis: options.flushMillis ?? FLUSH_MILLIS });
  const { usage } = counting;
  const states = createWebsiteStates(services.platform, usage);
  const rates = options.rates ?? createRates();
  const keys = createKeyCache(services, states, usage, rates);
  const gate = createGate(keys, usage, rates);
  const responses = createCachedResponses(services, states, {
    mostBytes: options.cacheBytes ?? CACHE_BYTES,
    loadTimeoutMillis: options.loadTimeoutMillis ?? LOAD_TIMEOUT_MILLIS,
  });
  const clientAddress = createClientAddress(options.trustedProxies ?? []);
  const targets = createTargets();
  const tally = createTally(routes.names);

  const unsubscribe = services.signals.subscribe((signal) => {
    keys.heard(signal);
    if (signal === "everything") responses.changedEverywhere();
    else if (signal.topic === "content") states.changed(signal.id);
  });

  const handle: Handler = (request, response, context) => {
    const exchange: Exchange = {
      request,
      response,
      requestId: context.requestId,
      now: services.clock().getTime(),
      address: clientAddress(request),
      route: 0,
      entry: null,
      bucket: null,
      hasPaid: false,
      allowOrigin: "*",
    };
    try {
      return enter(exchange, context)?.catch((error: unknown) => refuse(exchange, error));
    } catch (error) {
      return refuse(exchange, error);
    }
  };

  function enter(exchange: Exchange, context: RequestContext): Promise<void> | void {
    const { method } = exchange.request;
    if (method === "OPTIONS") return preflight(exchange, context.path.slice(DELIVERY_PATH.length));
    const known = targets.get(exchange.request.url!, exchange.now);
    const match = known?.match ?? routes.find(context.path.slice(DELIVERY_PATH.length));
    if (!match)
      throw fail("ROUTE_NOT_FOUND", `There is no route ${context.path.slice(0, 200)}. See ${services.publicUrl}/docs for all routes.`);
    const { value: route } = match;
    exchange.route = route.number;
    if (!route.methods.includes(method ?? "")) {
      throw fail("METHOD_NOT_ALLOWED", `Use ${route.methods.join(" or ")} here. API keys can only read.`, { allow: route.allow });
    }
    if (route.publicRoute) return answerPublic(exchange, context, route.publicRoute, match);
    const entry = gate.identify(exchange);
    if (entry instanceof Promise) return entry.then((found) => serve(exchange, found, match, known));
    return serve(exchange, entry, match, known);
  }

  function serve(exchange: Exchange, entry: KeyEntry, match: Match<DeliveryRoute>, known: Target | undefined): Promise<void> | void {
    const waiting = gate.admit(exchange, entry);
    return waiting ? waiting.then(() => read(exchange, entry, match, known)) : read(exchange, entry, match, known);
  }

  function read(exchange: Exchange, entry: KeyEntry, match: Match<DeliveryRoute>, known: Target | undefined): Promise<void> | void {
    const readRoute = match.value.readRoute!;
    if (readRoute.needs === "search" && !entry.search) {
      const { subject, include } = planWords(entry.workspace.plan);
      throw fail("PLAN_REQUIRED", `${subject} does not include search. ${include}`);
    }
    const target = known ?? targets.read(exchange.request.url!, match);
    const { month } = usage.today(exchange.now);
    // An answer that did not change may go out even then.
    if (headerOf(exchange.request, "if-none-match") === undefined && !hasRequestsLeft(entry.limits, entry.meter, entry.keyMeter, month)) {
      throw spentMonth(exchange, entry);
    }
    const accept = headerOf(exchange.request, "accept");
    const wantsMarkdown = accept !== undefined && accept !== "*/*" && prefersMarkdown(accept);
    const address = wantsMarkdown ? target.markdownAddress : target.address;
    const cached = responses.getCurrent(entry, address, exchange.now);
    if (cached) return answer(exchange, entry, address, cached, false);
    return responses
      .getOrLoad(entry, { readRoute, params: match.params, query: target.query, wantsMarkdown, address, client: exchange.response })
      .then((found) => answer(exchange, entry, address, found.response, found.isStale));
  }

  function answer(exchange: Exchange, entry: KeyEntry, address: string, cached: CachedResponse, isStale: boolean): Promise<void> | void {
    const today = usage.today(exchange.now);
    const accepted = headerOf(exchange.request, "accept-encoding");
    const encoding = encodingFor(cached, accepted === undefined ? "identity" : chooseEncoding(accepted));
    const ifNoneMatch = headerOf(exchange.request, "if-none-match");
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, cached.etag)) {
      count(exchange, 304);
      return sendNotModified(exchange, today, cached, encoding, isStale);
    }
    const bytes = bytesIn(cached, encoding);
    if (bytes === null) {
      return responses
        .compressed(entry, address, cached, encoding as "gzip" | "br")
        .then(() => answer(exchange, entry, address, cached, isStale));
    }
    // Here and not earlier: only what goes out as 200 is spent, and nothing waits between the question and the answer.
    if (!hasRequestsLeft(entry.limits, entry.meter, entry.keyMeter, today.month)) throw spentMonth(exchange, entry);
    spendOne(entry.meter, entry.keyMeter, today.month);
    count(exchange, 200);
    sendCached(exchange, today, cached, { encoding, bytes, isStale });
  }

  function spentMonth(exchange: Exchange, { limits, keyMeter }: KeyEntry) {
    const { month, monthEnd } = usage.today(exchange.now);
    tally.quotaRefusals += 1;
    const whose = limits.cap !== null && keyMeter && spent(keyMeter, month) >= limits.cap ? "this key" : "the workspace";
    return fail(
      "QUOTA_EXCEEDED",
      `This month's requests of ${whose} are used up. The count restarts on ${new Date(monthEnd).toISOString().slice(0, 10)} (UTC); unchanged content is still answered with 304.`,
      { retryAfterSeconds: Math.ceil((monthEnd - exchange.now) / 1_000) },
    );
  }

  function preflight(exchange: Exchange, path: string): void {
    const match = routes.find(path);
    if (match?.value.publicRoute?.takesCredentials) allowCredentials(exchange);
    gate.showAddress(exchange);
    count(exchange, 204);
    sendPreflight(exchange, usage.today(exchange.now), match?.value.methods ?? ["GET", "HEAD"]);
  }

  async function answerPublic(
    exchange: Exchange,
    context: RequestContext,
    route: PublicRoute,
    { params }: Match<DeliveryRoute>,
  ): Promise<void> {
    const { request, response } = exchange;
    if (route.takesCredentials) allowCredentials(exchange);
    if (route.isLimitedElsewhere) gate.showAddress(exchange);
    else {
      const refusal = await gate.admitWithoutKey(exchange);
      if (refusal) throw refusal;
    }
    const headers = commonHeaders(exchange, usage.today(exchange.now));
    for (let index = 0; index < headers.length; index += 2) response.setHeader(headers[index]!, headers[index + 1]!);
    // What it throws instead is counted by `refuse`.
    await route.handle(request, response, { ...context, params, clientAddress: exchange.address, now: new Date(exchange.now) });
    count(exchange, response.statusCode);
  }

  function refuse(exchange: Exchange, error: unknown): void | Promise<void> {
    const { response, requestId, entry } = exchange;
    // Nobody is left to be told, and there is nothing to count.
    if (isHangUp(error, response)) return;
    if (isUnexpected(error)) log.error({ requestId, err: error }, "A request failed unexpectedly");
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const problem = problemOf(exchange, error);
    if (problem.status >= 500) gate.forgive(exchange);
    // A request without a valid key pays from the bucket of its address, whatever was wrong with it.
    else if (!entry && !exchange.bucket) {
      const refusal = gate.admitWithoutKey(exchange);
      if (refusal instanceof Promise) return refusal.then((other) => sendProblem(exchange, other ? problemOf(exchange, other) : problem));
      if (refusal) return sendProblem(exchange, problemOf(exchange, refusal));
    }
    sendProblem(exchange, problem);
  }

  const problemOf = ({ requestId }: Exchange, error: unknown) => answerProblem(error, { requestId, publicUrl: services.publicUrl });

  function sendProblem(exchange: Exchange, problem: ReturnType<typeof answerProblem>): void {
    const { response } = exchange;
    const headers = commonHeaders(exchange, usage.today(exchange.now));
    for (const [name, value] of Object.entries(problem.headers)) headers.push(name, value);
    headers.push("Content-Length", String(Buffer.byteLength(problem.body)));
    count(exchange, problem.status);
    response.writeHead(problem.status, headers);
    response.end(exchange.request.method === "HEAD" ? undefined : problem.body);
  }

  function count({ entry, route, now }: Exchange, status: number): void {
    tally.count(route, status);
    if (entry) usage.count(entry.counter, route, status, usage.today(now));
  }

  return Object.assign(handle, {
    flush: counting.flush,
    metrics: () => tally.read({ ...responses.tally, responses: responses.size, bytes: responses.bytes }, gate.refusals, keys.size),
    close() {
      unsubscribe();
      return counting.close();
    },
  });
}

function allowCredentials(exchange: Exchange): void {
  const origin = headerOf(exchange.request, "origin");
  exchange.allowOrigin = origin ?? "*";
  if (origin !== undefined) exchange.response.setHeader("Access-Control-Allow-Credentials", "true");
}
