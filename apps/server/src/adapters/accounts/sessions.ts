import { APIError } from "better-auth/api";
import { serializeSignedCookie } from "better-call";
import { fail } from "#domain/failure";
import type { UserId } from "#domain/ids";
import type { Auth } from "./auth.ts";
import { sessionCookieCacheOf } from "./session-cookie-cache.ts";
import { resetLink } from "./reset-mail.ts";

/** A fault that the library gives an answer to is a row it could not read or write; why not, it has told the log. */
const unavailable = () => fail("UNAVAILABLE", "The database is not responding. Nothing was lost; try again in a few seconds.");

/** The library's answer at its own addresses. */
export async function answerOf(auth: Auth, request: Request): Promise<Response> {
  const answer = await auth.handler(request);
  if (answer.status >= 500) throw unavailable();
  // The library takes a session that it could not read for none. Whoever is signed in must not be told otherwise: reading it here fails, too.
  if (answer.status === 401) await sessionOf(auth, request.headers);
  return answer;
}

/** Whose session the cookie was when this node last let it in, without asking the database: it may have ended since. */
export const expectedUserOf = (auth: Auth, cookie: string): UserId | null => sessionCookieCacheOf(auth).userIdOf(cookie);

/** The person who is signed in, as read from the database for this request. Null: no session, or it has ended. */
export async function sessionOf(auth: Auth, headers: Headers) {
  const cookies = sessionCookieCacheOf(auth);
  const cookie = headers.get("cookie") ?? "";
  const known = await cookies.find(cookie);
  if (known) {
    const { id: sessionId, userId, name, email, emailVerified, twoFactorEnabled } = known;
    return { userId, sessionId, name, email, emailVerified, twoFactorEnabled: twoFactorEnabled ?? false, setCookies: [] };
  }
  const accepted = await auth.acceptOlder(headers);
  const { response, headers: answered } = await auth.api.getSession({ headers: accepted, returnHeaders: true }).catch((error: unknown) => {
    throw error instanceof APIError && error.statusCode >= 500 ? unavailable() : error;
  });
  if (!response) return null;
  const { user, session } = response;
  const setCookies = [
    // A session in use lives on; then its cookie is sent again.
    ...(answered?.getSetCookie() ?? []),
    // Signed with the secret of today it outlives the one before.
    ...(accepted === headers ? [] : [await sessionCookie(auth, session)]),
  ];
  // With another one in the answer, the browser does not send this one again.
  if (setCookies.length === 0) cookies.remember(cookie, session.id, user.id as UserId);
  return {
    userId: user.id as UserId,
    sessionId: session.id,
    name: user.name,
    email: user.email,
    emailVerified: user.emailVerified,
    twoFactorEnabled: user.twoFactorEnabled ?? false,
    setCookies,
  };
}

/** The cookie of a session. */
async function sessionCookie(auth: Auth, { token, expiresAt }: { token: string; expiresAt: Date }): Promise<string> {
  const { authCookies, secret } = await auth.$context;
  const { name, attributes } = authCookies.sessionToken;
  const maxAge = Math.max(0, Math.round((expiresAt.getTime() - Date.now()) / 1_000));
  return serializeSignedCookie(name, token, secret, { ...attributes, maxAge });
}

/** Begins a session for someone who has just shown who they are in another way than by password; answers the cookie to set. */
export async function startSession(auth: Auth, userId: UserId, device: { userAgent?: string; ipAddress?: string } = {}): Promise<string> {
  const { internalAdapter } = await auth.$context;
  return sessionCookie(auth, await internalAdapter.createSession(userId, false, device));
}

const HOUR_MILLIS = 60 * 60 * 1_000;

/** A link with which the account's password can be replaced, once and within an hour. */
export async function makeResetLink(auth: Auth, baseUrl: string, userId: UserId, token: string): Promise<string> {
  const { internalAdapter } = await auth.$context;
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt: new Date(Date.now() + HOUR_MILLIS),
  });
  return resetLink(baseUrl, token);
}
