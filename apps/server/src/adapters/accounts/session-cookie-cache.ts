import { LRUCache } from "lru-cache";
import type { UserId } from "#domain/ids";
import type { Auth } from "./auth.ts";

/** Cookies that are remembered at a time, and how long one may be: ours take some hundred characters. */
const MOST_COOKIES = 10_000;
const MOST_CHARACTERS = 2_000;

interface Row {
  readonly id: string;
  readonly token: string;
  readonly userId: UserId;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean | null;
}

/**
 * Cookies that the auth library has let in. Their signature stays good, so that the next time only the session is read: in one
 * statement and without the library, which took nearly half of what an autosave costs. It is read every time: what was withdrawn
 * is gone at once. A session that is due to be prolonged is the library's again.
 */
export interface SessionCookieCache {
  find(cookie: string): Promise<Row | null>;
  /** Whose session the cookie was when it was let in. Proves nothing: the session may have ended since. */
  userIdOf(cookie: string): UserId | null;
  remember(cookie: string, sessionId: string, userId: UserId): void;
}

/** Sends a statement whose plan is kept, together with the other look-ups of a request. */
export type LookUp = (statement: {
  readonly text: string;
  readonly values: unknown[];
  readonly keepPlan: true;
  readonly joins: true;
}) => Promise<{ readonly rows: readonly unknown[] }>;

const ofLibraries = new WeakMap<Auth, SessionCookieCache>();
const NONE: SessionCookieCache = { find: async () => null, userIdOf: () => null, remember() {} };

export const sessionCookieCacheOf = (auth: Auth): SessionCookieCache => ofLibraries.get(auth) ?? NONE;

/** From here on cookies of this library are remembered; `lookUp` asks the database that it reads from. */
export function cacheSessionCookies(auth: Auth, lookUp: LookUp): void {
  const sessions = new LRUCache<string, { readonly id: string; readonly userId: UserId }>({ max: MOST_COOKIES });
  const { expiresIn, updateAge } = auth.options.session;

  ofLibraries.set(auth, {
    async find(cookie) {
      const known = sessions.get(cookie);
      if (!known) return null;
      const { rows } = await lookUp({
        text: `SELECT s.id, s.token, s."userId", u.name, u.email, u."emailVerified", u."twoFactorEnabled"
          FROM "session" s JOIN "user" u ON u.id = s."userId"
          WHERE s.id = $1 AND s."expiresAt" > CURRENT_TIMESTAMP + make_interval(secs => $2)`,
        values: [known.id, expiresIn - updateAge],
        keepPlan: true,
        joins: true,
      });
      const [row] = rows as readonly Row[];
      if (row && cookie.includes(`${row.token}.`)) return row;
      sessions.delete(cookie);
      return null;
    },
    userIdOf: (cookie) => sessions.get(cookie)?.userId ?? null,
    remember(cookie, id, userId) {
      if (cookie.length <= MOST_CHARACTERS) sessions.set(cookie, { id, userId });
    },
  });
}
