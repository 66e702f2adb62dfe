import pg from "pg";

const TIMESTAMPTZ = 1184;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
    return oid === TIMESTAMPTZ ? (value: string) => new Date(value) : (pg.types.getTypeParser(oid, format) as (value: string) => unknown);
  },
};

/**
 * Our pool as the auth library needs it: it uses `connect`, `query`, `release` and `end` and nothing else. Everywhere else
 * times are text; the library compares them with `Date`, and text compares with a `Date` as false, always: no session
 * would ever end.
 */
export function datePool(pool: pg.Pool): pg.Pool {
  const wrapped = {
    async connect() {
      const client = await pool.connect();
      return {
        query: (text: string, values: readonly unknown[]) => client.query({ text, values: [...values], types }),
        release: () => client.release(),
      };
    },
    // The pool is closed by its opener.
    end: async () => {},
  };
  return wrapped as unknown as pg.Pool;
}
