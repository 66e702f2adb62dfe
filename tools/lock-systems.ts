import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

/**
 * `npx node tools/lock-systems.ts [folder]`, after packages changed: names in the lock file (of a starter in `examples`, say) what other
 * systems need, with the hashes that the registry knows. A package with native parts has one optional package for each system, and npm writes down only those that the
 * registry at hand could give it. On a system that is missing there `npm ci` refuses the file, and some versions of npm install a
 * program without its native half. What has no hash is installed by its exact version, but nobody notices when it was exchanged.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const LIBRARIES = [
  ["gnu", "glibc"],
  ["musl", "musl"],
] as const;

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: true;
  readonly dev?: true;
  readonly optional?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Record<string, Entry>;
}

const lockOf = (folder: string): string => path.join(ROOT, folder, "package-lock.json");
export const readLock = (folder = "."): Lock => JSON.parse(readFileSync(lockOf(folder), "utf8")) as Lock;

/** Without their hashes, which only a registry knows. */
export function missingEntries({ packages }: Lock): Record<string, Entry> {
  const present = new Set(Object.keys(packages).map(nameAt));
  const wanted = Object.values(packages).flatMap(({ dev, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, dev })),
  );
  const missing = wanted.filter(({ name }) => !present.has(name));
  return Object.fromEntries(missing.map(({ name, version, dev }) => [`node_modules/${name}`, entryOf(name, version, dev)]));
}

function entryOf(name: string, version: string, dev: true | undefined): Entry {
  if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error(`${name} is wanted as "${version}", which is no exact version.`);
  const words = name.split(/[-/]/);
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const os = SYSTEMS.filter((system) => words.includes(system));
  const libc = os.includes("linux") ? LIBRARIES.filter(([ending]) => words.at(-1)!.startsWith(ending)).map(([, library]) => library) : [];
  return { version, cpu, ...(dev && { dev }), ...(libc.length > 0 && { libc }), optional: true, ...(os.length > 0 && { os }) };
}

const nameAt = (place: string): string => place.replace(/^.*node_modules\//, "");

/** Where packages of a registry stand whose hash is not known. */
export const placesWithoutHash = ({ packages }: Lock): readonly string[] =>
  Object.entries(packages)
    .filter(([place, { integrity, resolved, link }]) => place.includes("node_modules/") && !link && !resolved && integrity === undefined)
    .map(([place]) => place);

/** Asks for the hash of a package at a version. Null: the registry does not have it. */
export type AskHash = (name: string, version: string) => Promise<string | null>;

/** The lock with every hash that the registry knows. */
export async function withHashes(lock: Lock, ask: AskHash): Promise<Lock> {
  const packages = { ...lock.packages };
  const places = [...placesWithoutHash(lock)];
  const work = async (): Promise<void> => {
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      const { version, ...rest } = packages[place]!;
      const integrity = await ask(nameAt(place), version!);
      // After the version, as npm writes it.
      if (integrity !== null) packages[place] = { version: version!, integrity, ...rest };
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return { ...lock, packages };
}

/** From the registry that npm is set up for on this machine; its name stays out of the lock file. */
const askRegistry: AskHash = async (name, version) => {
  const asked = promisify(execFile)("npm", ["view", `${name}@${version}`, "dist.integrity", "--json"]);
  const { stdout } = await asked.catch((error: { stdout: string; stderr: string }) => {
    if (error.stderr.includes("E404")) return { stdout: "" };
    throw new Error(`npm cannot say the hash of ${name}: ${error.stderr}`);
  });
  return stdout.trim() === "" ? null : (JSON.parse(stdout) as string);
};

if (import.meta.main) {
  const folder = process.argv[2] ?? ".";
  const lock = readLock(folder);
  const missing = missingEntries(lock);
  // As npm sorts them.
  const sorted = Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  const named = { ...lock, packages: Object.fromEntries(sorted) };
  const hashed = await withHashes(named, askRegistry);
  writeFileSync(lockOf(folder), `${JSON.stringify(hashed, null, 2)}\n`);
  const left = placesWithoutHash(hashed).length;
  const found = placesWithoutHash(named).length - left;
  process.stdout.write(`${Object.keys(missing).length} packages of other systems added, ${found} hashes found.\n`);
  if (left > 0) process.stdout.write(`${left} have no hash, because the registry does not have them. Run this again with one that does.\n`);
}
