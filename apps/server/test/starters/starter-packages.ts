import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BuiltPart, builtPart, execute } from "#test/built-parts";

export const EXAMPLES = path.resolve(import.meta.dirname, "../../../../examples");

type Manifest = Record<string, unknown> & { dependencies: Record<string, string> };
type Lock = { packages: Record<string, unknown> & { "": Manifest } };

/** The packages of a starter as its lock file names them, from npm, but for the client library, which each test packs from the source. */
const packagesOf = (name: string, starter: string): BuiltPart<string> =>
  builtPart({
    name: `packages of the ${name} starter`,
    source: path.join(EXAMPLES, starter),
    files: ["package.json", "package-lock.json"],
    needs: "npm and a registry",
    async make(source, folder) {
      const manifest = JSON.parse(await readFile(path.join(source, "package.json"), "utf8")) as Manifest;
      const lock = JSON.parse(await readFile(path.join(source, "package-lock.json"), "utf8")) as Lock;
      delete manifest.dependencies["@stet/client"];
      delete lock.packages[""].dependencies["@stet/client"];
      delete lock.packages["node_modules/@stet/client"];
      await writeFile(path.join(source, "package.json"), JSON.stringify(manifest));
      await writeFile(path.join(source, "package-lock.json"), JSON.stringify(lock));
      // Not `npm ci`: a registry that lacks an optional binary of another system would make it fail.
      await execute("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts", "--include=dev"], {
        cwd: source,
      });
      await mkdir(folder, { recursive: true });
      await rename(path.join(source, "node_modules"), path.join(folder, "node_modules"));
    },
    use: (folder) => path.join(folder, "node_modules"),
  });

export const astroPackages = packagesOf("Astro", "astro");
export const nextPackages = packagesOf("Next.js", "next");
