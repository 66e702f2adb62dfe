import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * `npx node tools/lock-systems.ts`, after packages changed: names in the lock file what other systems need. A package with native parts
 * has one optional package for each system, and npm writes down only those that the registry at hand could give it. On a system
 * that is missing there `npm ci` refuses the file, and some versions of npm install a program without its native half.
 */
const LOCK = path.resolve(import.meta.dirname, "../package-lock.json");
const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const LIBRARIES = [
  ["gnu", "glibc"],
  ["musl", "musl"],
] as const;

interface Entry {
  readonly version?: string;
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

export const readLock = (): Lock => JSON.parse(readFileSync(LOCK, "utf8")) as Lock;

/** Without a hash: whoever installs one of them takes it from the registry by its exact version. */
export function missingEntries({ packages }: Lock): Record<string, Entry> {
  const present = new Set(Object.keys(packages).map((place) => place.replace(/^.*node_modules\//, "")));
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

if (import.meta.main) {
  const lock = readLock();
  const missing = missingEntries(lock);
  // As npm sorts them.
  const packages = Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  writeFileSync(LOCK, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  process.stdout.write(`${Object.keys(missing).length} packages of other systems added.\n`);
}
