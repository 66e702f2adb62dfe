import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "#domain/failure";
import type { RequestId } from "#domain/ids";
import { isHangUp } from "./shared/hang-up.ts";
import { answerAlive, createReadiness, type ReadinessCheck } from "./health.ts";
import { hasHiddenReason, sendProblem } from "./shared/problem.ts";
import { requestIdOf } from "./request-id.ts";

/** The context that a handler gets with every request. */
export interface RequestContext {
  readonly requestId: RequestId;
  /** Without the query. */
  readonly path: string;
}

/** Answers one request on bare node:http. What it throws becomes problem+json. */
export type Handler = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => Promise<void> | void;

/** The part of a logger that the transports need. */
export interface HttpLog {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** Whether lines of this level are written at all; without it they are. */
  isLevelEnabled?(level: string): boolean;
}

/** A handler for everything at or below a path, such as `/v1`. */
export interface Route {
  readonly path: string;
  readonly handle: Handler;
  /**
   * For routes that are measured per microsecond: the handler sends `X-Request-Id` itself, among the headers it writes at once,
   * and there is a line in the log only where debugging was asked for.
   */
  readonly bare?: boolean;
  /** Answers its path alone: below it there is nothing. */
  readonly exact?: boolean;
}

export interface DispatcherOptions {
  readonly publicUrl: string;
  readonly log: HttpLog;
  readonly checks: readonly ReadinessCheck[];
  readonly isStopping: () => boolean;
  /** The first that matches wins. */
  readonly routes: readonly Route[];
  /** Everything else. */
  readonly fallback: Handler;
}

/**
 * The door: every request gets its id, goes to one handler, and leaves a line in the log. Handlers are on bare
 * node:http: some are measured per microsecond, others need the raw request.
 */
export function createDispatcher(options: DispatcherOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const answerReady = createReadiness(options.checks, options.isStopping);
  const doors = [
    ...options.routes,
    { path: "/healthz", handle: onlyReading((_request, response) => answerAlive(response)), exact: true },
    { path: "/readyz", handle: onlyReading((_request, response) => answerReady(response)), exact: true },
  ].map((route: Route): Door => ({ bare: false, ...route, handle: handlerOf(route), below: `${route.path}/` }));
  const elsewhere: Door = { path: "", below: "", handle: options.fallback, bare: false };
  const isDebugging = options.log.isLevelEnabled?.("debug") ?? true;

  return (request, response) => {
    const context = { requestId: requestIdOf(request), path: takePath(request) };
    const door = doorOf(context.path);
    if (!door.bare) response.setHeader("X-Request-Id", context.requestId);
    // A stopping server wants no further request on this connection.
    if (options.isStopping()) response.shouldKeepAlive = false;
    if (!door.bare || isDebugging) logWhenDone(options.log, request, response, context, door.bare);
    run(door.handle, request, response, context);
  };

  function doorOf(path: string): Door {
    for (const door of doors) if (path === door.path || path.startsWith(door.below)) return door;
    return elsewhere;
  }

  /** No promise where the handler needs none. */
  function run(handle: Handler, request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
    try {
      handle(request, response, context)?.catch((error: unknown) => refuse(error, response, context));
    } catch (error) {
      refuse(error, response, context);
    }
  }

  function refuse(error: unknown, response: ServerResponse, context: RequestContext): void {
    const facts = { requestId: context.requestId, err: error };
    if (isHangUp(error, response)) options.log.debug(facts, "The client went away");
    else if (hasHiddenReason(error)) options.log.error(facts, "A request failed unexpectedly");
    if (!response.headersSent) response.setHeader("X-Request-Id", context.requestId);
    sendProblem(response, error, { requestId: context.requestId, publicUrl: options.publicUrl });
  }
}

interface Door extends Required<Omit<Route, "exact">> {
  /** The path with a slash: what lies below it begins so. */
  readonly below: string;
}

/** Below an exact path even a browser finds nothing: a page of the dashboard there would hide that the address is wrong. */
function handlerOf({ path, handle, exact }: Route): Handler {
  if (!exact) return handle;
  return (request, response, context) => {
    if (context.path !== path) throw fail("ROUTE_NOT_FOUND", `There is nothing below ${path}.`);
    return handle(request, response, context);
  };
}

function onlyReading(handle: Handler): Handler {
  return (request, response, context) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw fail("METHOD_NOT_ALLOWED", `Use GET or HEAD for ${context.path}.`, { allow: "GET, HEAD" });
    }
    return handle(request, response, context);
  };
}

/** The path, with `request.url` brought to the usual form: a client may send a whole address (`GET http://host/path`). */
function takePath(request: IncomingMessage): string {
  let target = request.url ?? "/";
  if (!target.startsWith("/")) {
    const url = URL.canParse(target) ? new URL(target) : null;
    target = url ? url.pathname + url.search : "/";
    request.url = target;
  }
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

function logWhenDone(
  log: HttpLog,
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  onlyForDebugging: boolean,
): void {
  const started = performance.now();
  response.once("close", () => {
    const isWhole = response.writableFinished;
    const facts = {
      requestId: context.requestId,
      method: request.method,
      path: loggable(context.path),
      // Null: the client went away before the answer was whole.
      status: isWhole ? response.statusCode : null,
      millis: Math.round((performance.now() - started) * 10) / 10,
    };
    const isProbe = context.path === "/healthz" || context.path === "/readyz";
    if (isProbe || onlyForDebugging || !isWhole) log.debug(facts, "request");
    else log.info(facts, "request");
  });
}

/**
 * Paths that carry a secret are logged without it. A mistyped one may carry it elsewhere: what is longer than any name of ours,
 * or looks like a key, a script's token or a webhook's secret, is left out wherever it stands. The query is never logged.
 */
const loggable = (path: string): string =>
  path
    .replace(/\/(preview|setup|invite|invitations?|reset-password|verify-email)\/.*/i, "/$1/…")
    .replaceAll(/[^/]{97,}/g, "…")
    .replaceAll(/(stet|stetci|whsec)_[\w-]+/g, "$1_…");
