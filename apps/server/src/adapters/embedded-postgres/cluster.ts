import { spawn, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { type Account, asAccount } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { isAlive } from "./processes.ts";

/** The superuser of the embedded server, and the database of the service. */
export const USER = "stet";
export const DATABASE = "stet";

/**
 * Where a program that runs as the account finds the database. The account may not be allowed to walk there (a data
 * folder under /root): the program is started inside the folder, and /proc leads back to it without walking.
 */
export const workingFolder = (folder: string, account: Account): string =>
  account && process.platform === "linux" ? "/proc/self/cwd" : folder;

/** A clean environment: no PG* variable and no locale of the caller reaches the server. */
export const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** Makes the database files when they are not there, and refuses those that this version cannot open. */
export async function prepareCluster(
  folder: string,
  binaries: Binaries,
  account: Account,
  report: (message: string) => void,
): Promise<"created" | "existing"> {
  const version = await readVersion(folder);
  if (version === null) {
    report("Creating the database (once, takes a few seconds) …");
    await createCluster(folder, binaries, account);
    return "created";
  }
  if (version !== binaries.major) {
    throw new Error(
      `The database in ${folder} was made by PostgreSQL ${version}; this Stet brings PostgreSQL ${binaries.major}. ` +
        `Nothing was changed. Start the Stet version that made it, export your websites there (stet export), and import them into a new data folder; ` +
        `or run pg_upgrade.`,
    );
  }
  await checkOwner(folder, account);
  return "existing";
}

/** The major version that made the files, null when there are none. */
async function readVersion(folder: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(path.join(folder, "PG_VERSION"), "utf8"), 10);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES")
      throw new Error(`The database in ${folder} belongs to another user. Start Stet as that user, or set STET_DATA to another folder.`);
    if (code !== "ENOENT") throw error;
  }
  const found = await readdir(folder).catch(() => [] as string[]);
  if (found.length === 0) return null;
  throw new Error(`${folder} is not empty and holds no database of PostgreSQL. Move its files away, or set STET_DATA to another folder.`);
}

/**
 * Made beside its place and then renamed: a start that was interrupted leaves nothing half made, and when two processes
 * start at once, one of them wins and the other uses the winner's.
 */
async function createCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  await removeUnfinished(folder);
  const unfinished = `${folder}.new-${process.pid}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    if (account) await giveTo(unfinished, account);
    await runInitdb(unfinished, binaries, account);
    await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function runInitdb(folder: string, binaries: Binaries, account: Account): Promise<void> {
  const options = [
    ["-D", workingFolder(folder, account)],
    ["--username", USER],
    // Any process that reaches the socket is let in; the folder that holds it is closed to everybody else.
    ["--auth", "trust"],
    ["--encoding", "UTF8"],
    ["--locale-provider", "builtin"],
    ["--builtin-locale", "C.UTF-8"],
    ["--no-instructions"],
    ["--set", "max_connections=200"],
    ["--set", "log_min_messages=warning"],
    ["--set", "timezone=UTC"],
    ["--set", "log_timezone=UTC"],
  ].flat();
  const child = spawn(binaries.initdb, options, {
    ...asAccount(account),
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0)
    throw new Error(`The database could not be created in ${path.dirname(folder)}: ${complaint.trim() || `initdb ended with ${code}`}`);
}

/** Files of processes that were killed while they created the database. */
async function removeUnfinished(folder: string): Promise<void> {
  const prefix = `${path.basename(folder)}.new-`;
  for (const name of await readdir(path.dirname(folder)).catch(() => [] as string[])) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    await rm(path.join(path.dirname(folder), name), { recursive: true, force: true });
  }
}

/** A folder copied or restored by root belongs to root: it is given to the account. Open permissions are closed. */
async function checkOwner(folder: string, account: Account): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (account && uid !== account.uid) {
    const given = spawnSync("chown", ["-R", `${account.uid}:${account.gid}`, folder], { encoding: "utf8" });
    if (given.status !== 0) throw ownerError(folder, account, given.stderr.trim());
  }
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}

async function giveTo(folder: string, account: NonNullable<Account>): Promise<void> {
  await chown(folder, account.uid, account.gid).catch((error: Error) => {
    throw ownerError(folder, account, error.message);
  });
}

const ownerError = (folder: string, account: NonNullable<Account>, reason: string): Error =>
  new Error(
    `PostgreSQL must not run as root, and ${folder} cannot be given to the account ${account.name}: ${reason}. ` +
      `Start Stet as an ordinary user, set STET_DATA to a folder on a local disk, or set DATABASE_URL.`,
  );
