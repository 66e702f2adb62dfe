import { LRUCache } from "lru-cache";
import type pg from "pg";
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
  remember(cookie: string, sessionId: string): void;
}

const ofLibraries = new WeakMap<Auth, SessionCookieCache>();
const NONE: SessionCookieCache = { find: async () => null, remember() {} };

export const sessionCookieCacheOf = (auth: Auth): SessionCookieCache => ofLibraries.get(auth) ?? NONE;

/** From here on cookies of this library are remembered; the pool is the one that it reads from. */
export function cacheSessionCookies(auth: Auth, pool: pg.Pool): void {
  const sessionIds = new LRUCache<string, string>({ max: MOST_COOKIES });
  const { expiresIn, updateAge } = auth.options.session;

  ofLibraries.set(auth, {
    async find(cookie) {
      const id = sessionIds.get(cookie);
      if (id === undefined) return null;
      const { rows } = await pool.query<Row>({
        // Its plan is kept.
        name: "stet_known_session",
        text: `SELECT s.id, s.token, s."userId", u.name, u.email, u."emailVerified", u."twoFactorEnabled"
          FROM "session" s JOIN "user" u ON u.id = s."userId"
          WHERE s.id = $1 AND s."expiresAt" > CURRENT_TIMESTAMP + make_interval(secs => $2)`,
        values: [id, expiresIn - updateAge],
      });
      const [row] = rows;
      if (row && cookie.includes(`${row.token}.`)) return row;
      sessionIds.delete(cookie);
      return null;
    },
    remember(cookie, sessionId) {
      if (cookie.length <= MOST_CHARACTERS) sessionIds.set(cookie, sessionId);
    },
  });
}
