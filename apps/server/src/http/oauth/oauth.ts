import type { IncomingMessage, ServerResponse } from "node:http";
import { fail, Failure } from "#domain/failure";
import type { OauthServices } from "#operations/connections/helpers/oauth-services";
import { createClientAddress } from "../shared/client-address.ts";
import { type AttemptRules, createAttempts, tooManyAttempts } from "../shared/attempts.ts";
import { createBuckets } from "../shared/buckets.ts";
import { secondsToNext } from "#usage/rates/kept-bucket";
import { createRates, type Rates } from "#usage/rates/rates";
import { headersOf, type Sessions } from "../shared/sessions.ts";
import type { Handler, Route } from "../dispatcher.ts";
import { readAuthorizeQuery } from "./authorize-request.ts";
import { createConsent } from "./consent.ts";
import { answerProtectedResource, PROTECTED_RESOURCE_PATH } from "./protected-resource.ts";
import { CONSENT_PATH, createProvider } from "./provider.ts";
import { RegistrationError, registrationRequest } from "./registration.ts";

/**
 * Programs register once and people type a code twice at most; each of these leaves a record here for a while, or costs a request
 * to somebody else. A hundred at once, then one every six seconds, of each kind.
 */
const RULE = { ratePerSecond: 1 / 6, burst: 100 };
const LIMITS: AttemptRules = { address: RULE, account: RULE };
const MOST_ADDRESSES = 50_000;

export interface OauthOptions {
  readonly services: OauthServices;
  readonly sessions: Sessions;
  /** Whose `X-Forwarded-For` is believed (STET_TRUST_PROXY). */
  readonly trustedProxies: true | readonly string[];
  /** How long an access token is good, in seconds. */
  readonly accessTokenSeconds: number;
  /** Tests that connect often, or want to be refused soon, have rules of their own. */
  readonly limits?: AttemptRules;
  /** The buckets that are shared with other nodes; without, this node counts for itself. */
  readonly rates?: Rates;
}

/** The authorisation server: connected tools sign in here. The library answers, after our door has looked at the request. */
export function createOauth(options: OauthOptions): { readonly routes: readonly Route[] } {
  const { services, rates = createRates() } = options;
  const { publicUrl } = services.settings;
  const clientAddress = createClientAddress(options.trustedProxies);
  const attempts = createAttempts("oauth", options.limits ?? LIMITS, rates);
  const limit = (kind: "authorize" | "code" | "document" | "page" | "register", request: IncomingMessage): Promise<unknown> =>
    attempts.begin(`${kind} ${clientAddress(request)}`, null);
  /** What is exchanged for tokens that are good costs nothing: only failures count, and many at once count as many. */
  const exchanges = createBuckets(MOST_ADDRESSES, "oauth failures", rates);
  async function countFailure(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rule = options.limits?.address ?? RULE;
    const bucket = exchanges.of(clientAddress(request), rule, Date.now());
    if (await rates.take([bucket])) throw tooManyAttempts(secondsToNext(bucket));
    response.once("close", () => {
      if (response.statusCode < 400 || response.statusCode >= 500) rates.giveBack(bucket);
    });
  }
  const provider = createProvider({
    services,
    accessTokenSeconds: options.accessTokenSeconds,
    async mayReadDocument(request) {
      try {
        await limit("document", request);
        return true;
      } catch (error) {
        if (error instanceof Failure) return false;
        throw error;
      }
    },
    async isTrusted(request, clientId) {
      const person = await options.sessions.of(headersOf(request));
      return person !== null && services.hasConnected(person.userId, clientId);
    },
  });
  const consent = createConsent({ ...options, provider, limitDocuments: (request) => limit("document", request) });
  const library = provider.callback();
  const { protocol, host } = new URL(publicUrl);

  /** The library reads its own address from the request: it gets PUBLIC_URL, whatever the client wrote. */
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    request.headers["x-forwarded-host"] = host;
    delete request.headers["x-forwarded-for"];
    await library(request, response);
  }

  const handle: Handler = async (request, response, { path }) => {
    if (path.startsWith(`${CONSENT_PATH}/`)) return consent(request, response, path);
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (isReading) forgetSession(request);
    if (path === "/oauth/authorize" && isReading) {
      await limit("authorize", request);
      request.url = `${path}?${readAuthorizeQuery(request.url!.slice(path.length + 1))}`;
    } else if (path === "/oauth/authorize") {
      throw fail("METHOD_NOT_ALLOWED", "Open this address in a browser: it takes GET only.", { allow: "GET, HEAD" });
    } else if (path === "/oauth/device" && isReading) {
      await limit("page", request);
      // Shown in the form, where the person compares it; the library would send it off at once, by a script, however it is written.
      const code = new URLSearchParams(request.url!.slice(path.length + 1)).get("user_code");
      request.url = code === null ? path : `${path}?${new URLSearchParams({ code }).toString()}`;
    } else if (path === "/oauth/device" && request.method === "POST") {
      await limit("code", request);
    } else if (path === "/oauth/device/authorize") {
      await limit("authorize", request);
    } else if (path === "/oauth/token" && request.method === "POST") {
      await countFailure(request, response);
    } else if (path === "/oauth/register") {
      return register(request, response);
    }
    await pass(request, response);
  };

  async function register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (request.method === "OPTIONS") {
      response.writeHead(204, {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "content-type, mcp-protocol-version",
        "Access-Control-Max-Age": "3600",
      });
      response.end();
      return;
    }
    if (request.method !== "POST") throw fail("METHOD_NOT_ALLOWED", "Register a client with POST.", { allow: "POST" });
    await limit("register", request);
    try {
      const rewritten = await registrationRequest(request, response);
      await pass(rewritten, response);
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error;
      const body = JSON.stringify({ error: error.code, error_description: error.message });
      response.writeHead(400, {
        "Content-Type": "application/json",
        "Cache-Control": "no-store",
        "Content-Length": Buffer.byteLength(body),
      });
      response.end(body);
    }
  }

  return {
    routes: [
      {
        path: PROTECTED_RESOURCE_PATH,
        handle: (request, response, { path }) => answerProtectedResource(publicUrl, request, response, path),
      },
      { path: "/.well-known/oauth-authorization-server", handle: pass },
      { path: "/.well-known/openid-configuration", handle: pass },
      { path: "/oauth", handle },
    ],
  };
}

/**
 * Nobody is signed in here: the consent page asks the dashboard who it is, every time, and a session from an earlier question
 * has no say. Only the form for a code, which is posted, needs what the page before it left there.
 */
function forgetSession(request: IncomingMessage): void {
  const { cookie } = request.headers;
  if (cookie === undefined) return;
  request.headers.cookie = cookie
    .split(";")
    .filter((part) => !/^\s*stet_oauth(?:\.sig)?=/.test(part))
    .join(";");
}
