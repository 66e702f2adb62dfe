import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { chooseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { DATABASE, prepareCluster, USER } from "./cluster.ts";
import { DID_NOT_START, hasLittleRoom, isForLackOfRoom, logSettings } from "./disk-room.ts";
import { Guard, type Role } from "./guard.ts";
import { type ServerOptions, type StartedServer, endServer, startServer, stopServer } from "./server.ts";
import { PORT, reachSocket } from "./socket.ts";

export interface EmbeddedPostgres {
  readonly connection: { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  /** The server that was found: none, a stopped one, or one that still ran (of a service that was killed, or beside us). */
  readonly found: "nothing" | "stopped" | "running";
  /** Stops the server, unless another process uses it. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The folder of the database, made when it is not there. Its parent must exist. */
  readonly folder: string;
  readonly role: Role;
  /** Prints one line for the person who waits. */
  readonly report?: (message: string) => void;
  /** The service lost the server for good: it cannot be started again, or another service took it. */
  readonly onLost?: (error: Error) => void;
  /** The server cannot start because the disk is full: gives up what was kept for this. Answers whether there was anything. */
  readonly onFullDisk?: () => Promise<boolean>;
  /** Options of PostgreSQL, such as `{ fsync: "off" }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** How long processes of a dead server may hold on to its memory before we give up, in milliseconds. */
const ORPHANS_MILLIS = 30_000;

/** On a full disk a server may stay in its recovery for ever, having lost the process that recovers. After this time, in milliseconds, it is ended. */
const STUCK_MILLIS = 30_000;

/** How long a service waits at most before it tries again to start the server on a full disk, in milliseconds. */
const FULL_DISK_PAUSE_MILLIS = 2_000;

/** A real PostgreSQL in a folder: created, started or adopted as needed, and started again when it dies. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = path.resolve(options.folder);
  const report = options.report ?? (() => {});
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  const creator = await chooseAccount(folder, report);
  const binaries = await findBinaries(creator);
  const made = await prepareCluster(folder, binaries, creator, report);
  // Asked again: when two processes created it at once, the files may be the other's.
  const account = await chooseAccount(folder, report);
  const serverOptions: ServerOptions = {
    folder,
    logFile: `${folder}.log`,
    binaries,
    account,
    settings: { ...(await logSettings(folder)), ...options.settings },
  };
  const socket = await reachSocket(folder);
  const connection = { host: socket.host, port: PORT, user: USER };

  let closing = false;
  let guard: Guard | null = null;
  let restarting: Promise<void> = Promise.resolve();
  const hold = (held: Guard): void => {
    guard = held;
    void held.ended.then(() => {
      if (closing || options.role === "command") return;
      report("PostgreSQL ended unexpectedly. Starting it again …");
      restarting = restart().then(
        (joined) => void (joined && hold(joined.guard)),
        (error: Error) => options.onLost?.(error),
      );
    });
  };
  const join = () => joinServer(serverOptions, connection, options.role, report);
  /** Tried for as long as the disk is full: until somebody makes room, the service goes on with what it has in memory. */
  const restart = async (): Promise<Joined | null> => {
    let said = false;
    for (let attempt = 1; !closing; attempt++) {
      try {
        return await join();
      } catch (error) {
        if (!(await isForLackOfRoom(folder, error))) throw error;
        const full = "PostgreSQL cannot start, because the disk is full.";
        if (await options.onFullDisk?.()) {
          report(`${full} The reserve is used up for it.`);
          continue;
        }
        if (!said) report(`${full} Make room: it is tried again.`);
        said = true;
        await sleep(Math.min(FULL_DISK_PAUSE_MILLIS, 250 * attempt));
      }
    }
    return null;
  };

  const close = async (): Promise<void> => {
    if (closing) return;
    closing = true;
    await restarting;
    if (await guard?.isLast().catch(() => false)) await stopServer(folder);
    await guard?.client.end().catch(() => {});
    await socket.release();
  };

  try {
    const joined = await join().catch(async (error: unknown) => {
      if (!(await isForLackOfRoom(folder, error)) || !(await options.onFullDisk?.())) throw error;
      report("The disk is full. The reserve is used up to start PostgreSQL.");
      return join();
    });
    hold(joined.guard);
    await createDatabase(joined.guard);
    return {
      connection: { ...connection, database: DATABASE },
      found: made === "created" ? "nothing" : joined.started ? "stopped" : "running",
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Joined {
  readonly guard: Guard;
  readonly started: boolean;
}

/** Connects, starting the server when none answers. Waits as long as a server works on being ready. */
async function joinServer(
  serverOptions: ServerOptions,
  connection: { host: string; port: number; user: string },
  role: Role,
  report: (message: string) => void,
): Promise<Joined> {
  let server: StartedServer | null = null;
  let started = false;
  const since = Date.now();
  let waitingSince: number | null = null;
  // Each attempt that comes too early is a line in the server's log: after a normal start's time, ask less often.
  for (let pause = 20; ; pause = Math.min(pause * 1.15, 250)) {
    const guard = new Guard(connection, role);
    try {
      await guard.client.connect();
      if ((await guard.join(serverOptions.folder)) === "joined") {
        await requireUsable(connection);
        return { guard, started };
      }
      await guard.client.end();
    } catch (error) {
      await guard.client.end().catch(() => {});
      const { code, message } = error as Error & { code?: string };
      if (isBusy(code, message) && Date.now() - since > STUCK_MILLIS && (await hasLittleRoom(serverOptions.folder))) {
        await endServer(serverOptions.folder);
        throw new Error(DID_NOT_START);
      }
      if (!isAbsent(code) && !isBusy(code, message)) throw error;
      if (isAbsent(code) && (server === null || server.hasEnded())) {
        if (server) {
          const reason = await server.failure();
          if (!isHeldByOthers(reason)) throw new Error(`${DID_NOT_START} Its own words, from ${serverOptions.logFile}:\n${reason}`);
          waitingSince ??= Date.now();
          if (Date.now() - waitingSince > ORPHANS_MILLIS) {
            throw new Error(
              `PostgreSQL cannot start: processes of an earlier one still use ${serverOptions.folder}. End them, then start again.\n${reason}`,
            );
          }
          await sleep(200);
        } else report("Starting PostgreSQL …");
        server = await startServer(serverOptions);
        started = true;
      }
    }
    await sleep(pause);
  }
}

/** On a full disk a server may start and yet refuse every connection to the database, for a file that it cannot write. */
async function requireUsable(connection: { host: string; port: number; user: string }): Promise<void> {
  const client = new pg.Client({ ...connection, database: DATABASE, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    // invalid_catalog_name: it is the first start, and the database is created next.
    if ((error as { code?: string }).code !== "3D000") throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** No server listens: no socket, or one that nobody serves any more. */
const isAbsent = (code: string | undefined): boolean => code === "ENOENT" || code === "ECONNREFUSED";

/** It starts, recovers or stops (cannot_connect_now, admin_shutdown, crash_shutdown), or the connection broke in that moment. */
const isBusy = (code: string | undefined, message: string): boolean =>
  code === undefined
    ? /^(Connection terminated|timeout expired|Client has encountered a connection error|Client was closed)/.test(message)
    : ["57P03", "57P01", "57P02", "ECONNRESET", "EPIPE"].includes(code);

/** Another process was faster, or processes of a killed server have not ended yet. Both pass by themselves. */
const isHeldByOthers = (reason: string): boolean =>
  /lock file ".*" already exists|pre-existing shared memory block|could not create lock file|Is another postmaster/.test(reason);

async function createDatabase(guard: Guard): Promise<void> {
  const { rowCount } = await guard.client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
  if (rowCount) return;
  await guard.client.query(`CREATE DATABASE ${DATABASE} TEMPLATE template0`).catch((error: { code?: string }) => {
    // Another process was faster: duplicate_database, or its unique index.
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}
