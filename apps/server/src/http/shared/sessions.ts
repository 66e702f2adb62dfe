import type { IncomingMessage } from "node:http";
import { type Actor, userActor } from "#domain/actor";
import { fail } from "#domain/failure";
import type { UserId } from "#domain/ids";
import type { ClientAddress } from "./client-address.ts";

/** The person who is signed in, as read from the database for this request. */
export interface SignedIn {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  /** A session in use lives on; then its cookie is sent again. */
  readonly setCookies: readonly string[];
}

/** By what a person knows a session again in the list of theirs. */
export interface Device {
  readonly userAgent: string;
  readonly ipAddress: string;
}

/** The auth library, as far as the transport needs it; main gives it. */
export interface Sessions {
  /** The library's own addresses, below /api/auth. */
  handle(request: Request): Promise<Response>;
  /** Null: no session, or it has ended. */
  of(headers: Headers): Promise<SignedIn | null>;
  /** Whose session the cookie was when it was last let in, at once and without a proof: only `of` knows whether it still is. */
  expectedUser(cookie: string): UserId | null;
  /** Begins a session for someone who has just been given an account; answers the cookie to set. */
  start(userId: UserId, device: Device): Promise<string>;
}

export const headersOf = (request: IncomingMessage): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(":")) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return headers;
};

/** Of an address of version 6, clientAddress gives the network. */
export const deviceOf = (request: IncomingMessage, clientAddress: ClientAddress): Device => ({
  userAgent: request.headers["user-agent"] ?? "",
  ipAddress: clientAddress(request).replace("::/64", "::"),
});

/** The session of this request. It is looked up every time: what was withdrawn is gone at once. */
export async function findSession(sessions: Sessions, request: IncomingMessage): Promise<SignedIn | null> {
  const { cookie } = request.headers;
  return cookie === undefined ? null : sessions.of(new Headers({ cookie }));
}

async function requireSession(sessions: Sessions, request: IncomingMessage): Promise<SignedIn> {
  const session = await findSession(sessions, request);
  if (!session) throw notSignedIn();
  requireOpener(request, session);
  return session;
}

/** Names the account that was signed in when the page was opened. Pages of versions before this one do not send it. */
const OPENED_BY = "stet-opened-by";

/** A browser has one session for all its tabs: a page that somebody left open must not act for the person who signed in after them. */
function requireOpener(request: IncomingMessage, { userId, email }: SignedIn): void {
  const openedBy = request.headers[OPENED_BY];
  if (openedBy === undefined || openedBy === userId) return;
  throw fail("OTHER_ACCOUNT", `You are signed in as ${email} in another tab. Reload the page to go on as ${email}.`, { email });
}

const notSignedIn = () => fail("NOT_SIGNED_IN", "You are not signed in, or your session has ended. Sign in again.");

/** For addresses that ask for a session themselves, or for none. */
export async function refuseOtherAccount(sessions: Sessions, request: IncomingMessage): Promise<void> {
  const session = OPENED_BY in request.headers ? await findSession(sessions, request) : null;
  if (session) requireOpener(request, session);
}

/**
 * Does work for the person who is signed in. A cookie that was let in before tells who that will be, so the session can be read together
 * with what else the work needs: it calls `confirm` and waits for it before it does anything. Nothing is answered without that.
 */
export async function asSignedIn<T>(
  sessions: Sessions,
  request: IncomingMessage,
  work: (userId: UserId, confirm: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  let session: Promise<SignedIn> | undefined;
  const confirm = () => {
    if (!session) {
      session = requireSession(sessions, request);
      // It may fail while the work waits for its turn and nobody waits for this yet. It is waited for below in any case.
      session.catch(() => {});
    }
    return session;
  };
  // Read for itself: the work may wait for a body that is sent slowly, and confirms what is so after that.
  const userId = sessions.expectedUser(request.headers.cookie ?? "") ?? (await requireSession(sessions, request)).userId;
  // A person whose session has ended hears that, and nothing else about the request.
  const requireSame = async () => {
    if ((await confirm()).userId !== userId) throw notSignedIn();
  };
  const result = await work(userId, confirm).catch(async (error: unknown) => {
    await requireSame();
    throw error;
  });
  await requireSame();
  return result;
}

/** People act as themselves, with the role they have at this moment. */
export const requireActor = async (sessions: Sessions, request: IncomingMessage): Promise<Actor> =>
  userActor((await requireSession(sessions, request)).userId);
