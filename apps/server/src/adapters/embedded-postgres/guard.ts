import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./processes.ts";

/** Advisory locks of the server. Held by a session, so that they end with the process, however it ends. */
const SERVICE_LOCK = 7_383_512;
const USERS_LOCK = 7_383_513;

/** A service owns the data folder; a command may work beside it. */
export type Role = "service" | "command";

export type JoinResult = "joined" | "stopping";

/**
 * A connection that says "someone uses this server". Every user holds one lock together; a service holds one alone.
 * The last user out stops the server: a process that gets the users' lock for itself knows that there is no other.
 */
export class Guard {
  readonly client: pg.Client;
  /** Kept from the beginning: a server may end in the moment in which somebody has joined it. */
  readonly ended: Promise<void>;
  readonly #role: Role;

  constructor(connection: { host: string; port: number; user: string }, role: Role) {
    this.#role = role;
    this.client = new pg.Client({
      ...connection,
      database: "postgres",
      application_name: `stet ${role} ${process.pid}`,
      connectionTimeoutMillis: 10_000,
    });
    // Errors reach the caller that waits for a query; between queries `ended` tells.
    this.client.on("error", () => {});
    this.ended = new Promise((resolve) => void this.client.once("end", resolve));
  }

  /** "stopping": the last user is just stopping the server; try again when it has. Throws when a service has it already. */
  async join(folder: string): Promise<JoinResult> {
    if (!(await this.#lock("pg_try_advisory_lock_shared", USERS_LOCK))) return "stopping";
    if (this.#role === "command") return "joined";
    for (let attempt = 0; ; attempt++) {
      if (await this.#lock("pg_try_advisory_lock", SERVICE_LOCK)) return "joined";
      const holder = await this.#holder();
      // The connection of a service that was killed lingers until the server notices.
      const dead = holder === null || !isAlive(holder.process);
      if (!dead || attempt >= 50) {
        throw new Error(
          `Another Stet service${holder ? ` (process ${holder.process})` : ""} uses the database in ${folder}. ` +
            `Stop it first, or set STET_DATA to another folder.`,
        );
      }
      if (holder) await this.client.query("SELECT pg_terminate_backend($1)", [holder.backend]);
      await sleep(100);
    }
  }

  /** True when nobody else uses the server, and nobody can begin to. */
  async isLast(): Promise<boolean> {
    await this.client.query("SELECT pg_advisory_unlock_shared($1)", [USERS_LOCK]);
    return this.#lock("pg_try_advisory_lock", USERS_LOCK);
  }

  async #lock(how: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared", lock: number): Promise<boolean> {
    const { rows } = await this.client.query<{ got: boolean }>(`SELECT ${how}($1) AS got`, [lock]);
    return rows[0]?.got === true;
  }

  async #holder(): Promise<{ backend: number; process: number } | null> {
    const { rows } = await this.client.query<{ pid: number; application_name: string }>(
      `SELECT a.pid, a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1`,
      [SERVICE_LOCK],
    );
    const service = Number(rows[0]?.application_name.split(" ").at(-1));
    return rows[0] && Number.isInteger(service) ? { backend: rows[0].pid, process: service } : null;
  }
}
