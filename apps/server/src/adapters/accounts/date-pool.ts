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
      let hasFailed = false;
      return {
        query: (text: string, values: readonly unknown[]) =>
          client.query({ text, values: [...values], types }).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          }),
        // As the pool does itself: a connection to a server that takes no writes any more would refuse everybody who gets it next.
        release: () => client.release(hasFailed),
      };
    },
    // The pool is closed by its opener.
    end: async () => {},
  };
  return wrapped as unknown as pg.Pool;
}
