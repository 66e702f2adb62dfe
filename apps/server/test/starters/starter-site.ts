import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { EXAMPLES } from "./starter-packages.ts";

const run = promisify(execFile);

export interface StarterSite {
  readonly folder: string;
  /** Runs a program of its packages to the end and answers what it said. */
  run(program: string, args: readonly string[]): Promise<string>;
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/** A starter as somebody gets it from `npm run starter`, with its packages. Next.js wants them inside the folder, Astro takes links. */
export async function makeSite(
  name: "astro" | "next",
  packages: string,
  { url, key }: { readonly url: string; readonly key: string },
): Promise<StarterSite> {
  const folder = mkdtempSync(path.join(tmpdir(), `stet-${name}-`));
  await run(process.execPath, [path.join(EXAMPLES, "../tools/starter.ts"), name, folder]);
  const modules = path.join(folder, "node_modules");
  if (name === "next") await cp(packages, modules, { recursive: true, verbatimSymlinks: true });
  else await linkPackages(packages, modules);
  const client = path.join(modules, "@stet/client");
  await mkdir(client, { recursive: true });
  await run("tar", ["xzf", path.join(folder, "stet-client.tgz"), "--strip-components=1", "-C", client]);
  const env = { PATH: process.env.PATH, STET_URL: url, STET_KEY: key, ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" };
  return {
    folder,
    env,
    async run(program, args) {
      try {
        const { stdout } = await run(process.execPath, [path.join(modules, program), ...args], { cwd: folder, env });
        return stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name.startsWith("@")) await linkPackages(path.join(from, name), path.join(to, name));
    else if (!name.startsWith(".")) await symlink(path.join(from, name), path.join(to, name));
  }
}
