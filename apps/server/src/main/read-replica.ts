import { openReplica, type Replica } from "#adapters/postgres/content/replica";
import { openDatabase } from "#adapters/postgres/database";
import type { Config } from "./config.ts";

/** A replica that is away is not worth waiting for: the primary has the same content. */
const CONNECT_MILLIS = 2_000;

/** The replica of DATABASE_READ_URL. It is connected to when it is first asked, so that the service starts without it. */
export function openReadReplica(
  { databaseReadUrl: url, databasePooled: pooled, connections }: Pick<Config, "databaseReadUrl" | "databasePooled" | "connections">,
  onTrouble: (message: string, error: unknown) => void,
): Replica | null {
  if (url === null) return null;
  return openReplica(openDatabase({ url, pooled, connections: connections.reads, connectMillis: CONNECT_MILLIS }), onTrouble);
}
