import type { Socket } from "node:net";
import pg from "pg";

/** How long a cancelled statement may take to end, in milliseconds: over a half-open connection that is never told. */
const CANCEL_MILLIS = 1_000;

/** Runs a statement that PostgreSQL stops when the signal is aborted, instead of finishing what nobody waits for. */
export async function queryUntil<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  signal: AbortSignal,
): Promise<pg.QueryResult<Row>> {
  signal.throwIfAborted();
  const client = await pool.connect();
  if (signal.aborted) {
    client.release();
    throw signal.reason;
  }
  let ending: NodeJS.Timeout | undefined;
  // Not at once: poolers drop a cancel whose connection has gone before it.
  const stop = (): void => {
    cancel(client);
    ending = setTimeout(() => client.connection.stream.destroy(), CANCEL_MILLIS);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    const result = await client.query<Row>(query);
    // A request to cancel that comes late must not meet the statement of somebody else.
    client.release(signal.aborted);
    return result;
  } catch (error) {
    client.release(true);
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(ending);
    signal.removeEventListener("abort", stop);
  }
}

/** What the driver's types leave out. */
interface ConnectedClient {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}
interface Wire extends NodeJS.EventEmitter {
  readonly stream: Socket;
  connect(portOrPath: number | string, host?: string): void;
  cancel(processId: number, key: number): void;
}

/**
 * The protocol's own way: another connection, which says which one is meant and is closed. It needs no password, no place in the pool and
 * works through a pooler. It may get lost; then the statement runs into its timeout.
 */
export function cancel(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as ConnectedClient;
  const wire = new pg.Connection() as unknown as Wire;
  wire.on("error", () => {});
  wire.stream.setTimeout(CANCEL_MILLIS, () => wire.stream.destroy());
  wire.once("connect", () => wire.cancel(processID, secretKey));
  if (host.startsWith("/")) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
}
