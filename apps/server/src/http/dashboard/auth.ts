import { z } from "zod";
import { fail } from "#domain/failure";
import { normaliseEmail } from "#domain/email";
import { nameOf } from "#operations/kernel/inputs";
import type { ClientAddress } from "../shared/client-address.ts";
import { readBody } from "../shared/read-body.ts";
import type { ApiCall, ApiRoute } from "./api.ts";
import { type Attempts, createAttempts, EMAIL_ATTEMPTS } from "../shared/attempts.ts";
import { authProblem } from "./auth-problems.ts";
import { parseInput } from "./json.ts";
import type { KnownDevices } from "./known-device.ts";
import { findSession, headersOf, refuseOtherAccount, type Sessions } from "../shared/sessions.ts";
import type { Rates } from "#usage/rates/rates";
import { isJson } from "../shared/same-origin.ts";

const MOST_BYTES = 64 * 1024;

/**
 * The library has more; what the dashboard does not use does not exist. "limited": somebody may be guessing, or has something
 * written down for them without being signed in. "password": a person who has only the session may be guessing the password.
 */
type Kind = "limited" | "password" | "free";
const GETS = new Map<string, Kind>([
  ["/get-session", "free"],
  ["/list-sessions", "free"],
  ["/passkey/generate-register-options", "free"],
  ["/passkey/generate-authenticate-options", "limited"],
  ["/passkey/list-user-passkeys", "free"],
]);
const POSTS = new Map<string, Kind>([
  ["/sign-in/email", "limited"],
  ["/sign-up/email", "limited"],
  ["/sign-out", "free"],
  ["/request-password-reset", "limited"],
  ["/reset-password", "limited"],
  ["/change-password", "password"],
  ["/update-user", "free"],
  ["/revoke-session", "free"],
  ["/revoke-other-sessions", "free"],
  ["/two-factor/enable", "password"],
  ["/two-factor/disable", "password"],
  ["/two-factor/verify-totp", "limited"],
  ["/two-factor/verify-backup-code", "limited"],
  ["/two-factor/generate-backup-codes", "password"],
  ["/passkey/verify-registration", "free"],
  ["/passkey/verify-authentication", "limited"],
  ["/passkey/delete-passkey", "free"],
  ["/passkey/update-passkey", "free"],
]);

/** These name the account by its address, and sign in to it when they succeed. */
const SIGN_IN: ReadonlySet<string> = new Set(["/sign-in/email", "/sign-up/email"]);
/** Sends an email to the owner of the address. */
const RESET_PASSWORD_PATH = "/request-password-reset";

/** Escaped, as JSON must, and not merely written after an escaped backslash. */
const NUL_IN_JSON = /(?<!\\)(?:\\\\)*\\u0000/;

export interface AuthRouteOptions {
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly devices: KnownDevices;
  readonly clientAddress: ClientAddress;
  readonly publicUrl: string;
  readonly rates: Rates;
}

/** `/api/auth/*`: the auth library's own addresses, those that the dashboard uses, behind a limit on guessing. */
export function authRoutes({ sessions, attempts, devices, clientAddress, publicUrl, rates }: AuthRouteOptions): readonly ApiRoute[] {
  const emails = createAttempts("reset email", EMAIL_ATTEMPTS, rates);
  /** Counts the attempt against whom it may be aimed at. What it answers is called when it succeeded. */
  const begin = async ({ request }: ApiCall, path: string, kind: Kind, email: string | null): Promise<() => void> => {
    const address = clientAddress(request);
    if (kind === "free") return () => {};
    if (kind === "password") return attempts.begin(address, (await findSession(sessions, request))?.userId ?? null);
    if (email !== null && SIGN_IN.has(path)) return attempts.begin(address, `${path} ${email}`, devices.find(request, email));
    const succeeded = await attempts.begin(address, null);
    // Last: what was refused before has sent none.
    if (path === RESET_PASSWORD_PATH) await emails.begin(address, email);
    return succeeded;
  };
  const pass = async (call: ApiCall, body: Buffer | null): Promise<Response> => {
    await refuseOtherAccount(sessions, call.request);
    const headers = headersOf(call.request);
    headers.set("host", new URL(publicUrl).host);
    // Without Origin it was let in by requireSameOrigin for another reason; the library asks only for Origin.
    if (!headers.has("origin")) headers.set("origin", new URL(publicUrl).origin);
    headers.set("x-stet-client-address", clientAddress(call.request).replace("::/64", "::"));
    headers.delete("x-forwarded-for");
    return sessions.handle(
      new Request(publicUrl + call.request.url!, { method: call.request.method!, headers, ...(body && { body: new Uint8Array(body) }) }),
    );
  };
  return [
    {
      method: "GET",
      path: "/auth/*",
      async handle(call) {
        const kind = GETS.get(pathIn(call));
        if (!kind) throw fail("ROUTE_NOT_FOUND", "There is no such route.");
        if (kind === "limited") await attempts.begin(clientAddress(call.request), null);
        await send(call, publicUrl, await pass(call, null));
      },
    },
    {
      method: "POST",
      path: "/auth/*",
      async handle(call) {
        const path = pathIn(call);
        const kind = POSTS.get(path);
        if (!kind) throw fail("ROUTE_NOT_FOUND", "There is no such route.");
        const body = await readBody(call.request, call.response, MOST_BYTES);
        if (body.length > 0 && !isJson(call.request))
          throw fail("UNSUPPORTED_MEDIA_TYPE", "Send JSON, with Content-Type: application/json.");
        // No database holds it, and the library would look for it in one.
        if (NUL_IN_JSON.test(body.toString("latin1"))) throw fail("MALFORMED_BODY", "The body contains a NUL character.");
        const account = ACCOUNTS.get(path);
        if (account) parseInput(account, parsed(body));
        const email = emailIn(body);
        const succeeded = await begin(call, path, kind, email);
        const answer = await pass(call, body.length > 0 ? body : null);
        if (answer.ok) succeeded();
        const known = answer.ok && email !== null && SIGN_IN.has(path) ? [devices.remember(call.request, email)] : [];
        await send(call, publicUrl, answer, known);
      },
    },
  ];
}

const pathIn = ({ path }: ApiCall): string => path.slice("/api/auth".length);

/**
 * Names are shown to others: they follow the rule that names have everywhere, which the library does not know. And what an account
 * holds besides, such as whether its address is verified, is not for its owner to say.
 */
const ACCOUNTS = new Map<string, z.ZodType>([
  ["/update-user", z.strictObject({ name: nameOf() })],
  ["/sign-up/email", z.strictObject({ name: nameOf(), email: z.unknown(), password: z.unknown() })],
]);

/** Whose password is being guessed, or whose inbox is being flooded. */
function emailIn(body: Buffer): string | null {
  const { email } = (parsed(body) ?? {}) as { email?: unknown };
  return typeof email === "string" ? (normaliseEmail(email) ?? email.slice(0, 320)) : null;
}

/** Read exactly as the library reads it, a byte order mark included. Undefined: not JSON, which the library says itself. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

async function send(
  { response, requestId }: ApiCall,
  publicUrl: string,
  answer: Response,
  ourCookies: readonly string[] = [],
): Promise<void> {
  const cookies = [...answer.headers.getSetCookie(), ...ourCookies];
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
  const text = await answer.text();
  const contentType = answer.headers.get("content-type") ?? "application/json";
  const { status, headers, body } =
    answer.status < 400
      ? { status: answer.status, headers: { "Content-Type": contentType }, body: text }
      : authProblem({ status: answer.status, body: text }, { requestId, publicUrl });
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}
