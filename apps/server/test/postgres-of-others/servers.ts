import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { asAccount, chooseAccount } from "#adapters/embedded-postgres/account";
import { freePort } from "#test/free-port";

const run = promisify(execFile);

/** The files are thrown away afterwards, so nothing needs to survive a power cut. */
/** A commit that was told is with the system, so that servers which are killed have it; that the disk has it costs too much here. */
const FAST = { fsync: "off", shared_buffers: "32MB", max_connections: "100" };

/** A server with an address of its own on this machine, which anybody here can enter. */
export interface TestPostgres {
  /** As its superuser, in the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Statements on it, as its superuser, one after the other: the rows of the last. */
  ask(...statements: readonly string[]): Promise<readonly Record<string, unknown>[]>;
  start(): Promise<void>;
  /** SIGINT: as an operator stops it. SIGKILL: as a power cut does. SIGQUIT: at once, without telling anybody. */
  stop(signal?: "SIGINT" | "SIGKILL" | "SIGQUIT"): Promise<void>;
  /** Another one that follows it. It shows what it got only after `delay`, such as `5s`. */
  replica(delay?: string): Promise<TestPostgres>;
  close(): Promise<void>;
}

/** Starts a PostgreSQL that is made by the programs in the folder. */
export async function startPostgres(bin: string): Promise<TestPostgres> {
  const folder = await makeFolder();
  const data = path.join(folder, "data");
  const options = await runAs(folder);
  await run(path.join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], options);
  const settings = { ...FAST, wal_level: "replica", max_wal_senders: "4" };
  await appendFile(path.join(data, "postgresql.conf"), linesOf(settings));
  return serverIn(bin, folder);
}

async function serverIn(bin: string, folder: string): Promise<TestPostgres> {
  const data = path.join(folder, "data");
  const options = await runAs(folder);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | null = null;
  const ask: TestPostgres["ask"] = async (...statements) => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
      return rows;
    } finally {
      await client.end();
    }
  };
  const server: TestPostgres = {
    url,
    port,
    ask,
    async start() {
      const told = ["-c", "listen_addresses=127.0.0.1", "-c", `port=${port}`, "-c", `unix_socket_directories=${folder}`];
      child = spawn(path.join(bin, "postgres"), ["-D", data, ...told], { ...options, stdio: "ignore" });
      await answering(child, () => ask("SELECT 1"), "PostgreSQL");
    },
    async stop(signal = "SIGINT") {
      const ending = child;
      child = null;
      // The processes of a killed server hold its files for a moment longer.
      const backends = signal === "SIGKILL" ? await pidsOf(ask) : [];
      await end(ending, signal);
      for (const pid of backends) await gone(pid);
    },
    async replica(delay) {
      const theirs = await makeFolder();
      const from = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-D", path.join(theirs, "data")];
      await run(path.join(bin, "pg_basebackup"), [...from, "-R", "-X", "stream", "-c", "fast"], await runAs(theirs));
      if (delay) await appendFile(path.join(theirs, "data", "postgresql.conf"), linesOf({ recovery_min_apply_delay: delay }));
      return serverIn(bin, theirs);
    },
    async close() {
      if (child) await server.stop("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** A pgbouncer that hands out a server's connections transaction by transaction. */
export interface TestPooler {
  /** The same address as `url`, through the pooler. */
  through(url: string): string;
  close(): Promise<void>;
}

export async function startPgbouncer(
  program: string,
  server: Pick<TestPostgres, "port">,
  options: { users: readonly string[]; settings?: Readonly<Record<string, string>> },
): Promise<TestPooler> {
  const folder = await makeFolder();
  const port = await freePort();
  const [config, users] = [path.join(folder, "pgbouncer.ini"), path.join(folder, "users.txt")];
  await writeFile(users, options.users.map((user) => `"${user}" ""\n`).join(""));
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "trust",
    auth_file: users,
    pool_mode: "transaction",
    // Fewer than the service asks for, so that they change hands all the time.
    default_pool_size: "4",
    ...options.settings,
  };
  await writeFile(config, `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\n${linesOf(settings, "")}`);
  const child = spawn(program, ["-q", config], { ...(await runAs(folder)), stdio: "ignore" });
  const through = (url: string): string => {
    const address = new URL(url);
    address.host = `127.0.0.1:${port}`;
    return address.href;
  };
  await answering(child, () => asked(through(`postgres://${options.users[0]}@127.0.0.1/postgres`)), "pgbouncer");
  return {
    through,
    async close() {
      await end(child, "SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function asked(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  await client.query("SELECT 1");
  await client.end();
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-postgres-"));
  await chmod(folder, 0o700);
  const account = await chooseAccount(folder, () => {});
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** PostgreSQL refuses root, and pgbouncer too. */
const runAs = async (folder: string) => ({ ...asAccount(await chooseAccount(folder, () => {})), cwd: folder });

const linesOf = (settings: Readonly<Record<string, string>>, quote = "'"): string =>
  Object.entries(settings)
    .map(([name, value]) => `\n${name} = ${quote}${value}${quote}`)
    .join("") + "\n";

async function answering(child: ChildProcess, ask: () => Promise<unknown>, name: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}.`);
    try {
      await ask();
      return;
    } catch {
      await sleep(25);
    }
  }
}

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

const pidsOf = async (ask: TestPostgres["ask"]): Promise<readonly number[]> =>
  (await ask("SELECT pid FROM pg_stat_activity")).map(({ pid }) => Number(pid));

async function gone(pid: number): Promise<void> {
  while (
    await readFile(`/proc/${pid}/stat`).then(
      () => true,
      () => false,
    )
  )
    await sleep(10);
}
