import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { announce, type Part } from "#test/parts";

/** Runs a tool to its end. */
export const execute = promisify(execFile);

const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "stet-test-parts");

export interface Recipe<T> {
  readonly name: string;
  /** The folder with its source. */
  readonly source: string;
  /** The files of that folder that it is built from; without: all. */
  readonly files?: readonly string[];
  /** Tools that building it needs. */
  readonly needs: string;
  /** Puts everything that using it needs into the folder. */
  readonly make: (source: string, folder: string) => Promise<void>;
  readonly use: (folder: string) => T;
}

export interface BuiltPart<T> {
  readonly name: string;
  /** Builds it unless it is there. */
  prepare(): Promise<Part<T>>;
  /** Looks for it. */
  find(): Part<T>;
}

/** Something that is built from a package registry's sources: once, outside the tree, under a name that changes with its source. */
export function builtPart<T>(recipe: Recipe<T>): BuiltPart<T> {
  const folder = path.join(CACHE, `${path.basename(recipe.source)}-${hashOf(recipe)}`);
  const detail = `in ${folder.replace(homedir(), "~")}`;
  const find = (): Part<T> =>
    existsSync(folder)
      ? { part: recipe.use(folder), detail }
      : { missing: `it is not in ${CACHE.replace(homedir(), "~")}; building it needs ${recipe.needs}` };
  return {
    name: recipe.name,
    find,
    async prepare() {
      if (existsSync(folder)) return find();
      announce(recipe.name, "is being fetched and built, which takes some minutes the first time");
      try {
        await makeOnce(recipe, folder);
        return find();
      } catch (error) {
        return { missing: `it could not be built (it needs ${recipe.needs}): ${lastLine(error)}` };
      }
    },
  };
}

/** Two runs of the tests may start at once: one builds it, the other waits for it. */
async function makeOnce({ source, files, make }: Recipe<unknown>, folder: string): Promise<void> {
  const lock = `${folder}.lock`;
  await mkdir(CACHE, { recursive: true });
  const isFirst = await mkdir(lock).then(
    () => true,
    () => false,
  );
  if (!isFirst) {
    while (existsSync(lock) && !(await isOld(lock))) await sleep(500);
    if (existsSync(folder)) return;
  }
  const work = await mkdtemp(`${folder}.`);
  try {
    // A copy, so that no tool leaves anything in the tree.
    const copy = path.join(work, "source");
    const isWanted = (file: string) => file === source || !files || files.includes(path.relative(source, file));
    await cp(source, copy, { recursive: true, filter: isWanted });
    await mkdir(path.join(work, "made"));
    await make(copy, path.join(work, "made"));
    await rename(path.join(work, "made"), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
    await rm(lock, { recursive: true, force: true });
  }
}

function hashOf({ source, files = readdirSync(source) }: Recipe<unknown>): string {
  const hash = createHash("sha256");
  for (const name of files.toSorted()) hash.update(name).update(readFileSync(path.join(source, name)));
  return hash.digest("hex").slice(0, 12);
}

/** Left behind by a run that was killed. */
const isOld = async (file: string): Promise<boolean> => {
  const made = await stat(file).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > 20 * 60_000;
};

const lastLine = (error: unknown): string => {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message || String(error)).split("\n").at(-1)!;
};
