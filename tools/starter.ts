import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * `npm run starter -- astro ../my-blog` copies a starter of `examples` into a new folder, with the client library packed into it: the
 * folder then needs nothing of this repository. Without a folder the library is put into the starter itself, to work on it here.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const EXAMPLES = path.join(ROOT, "examples");
/** What a starter that was used here leaves behind. */
const NOT_COPIED = ["node_modules", ".next", ".astro", "dist", ".env", "stet-client.tgz", "next-env.d.ts"];

const starters = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const [name = "", folder] = process.argv.slice(2);
if (!starters.includes(name)) quit(`Usage: npm run starter -- ${starters.join("|")} [new folder]`);

const source = path.join(EXAMPLES, name);
// npm runs the command in the repository; people name the folder from where they are.
const target = folder ? path.resolve(process.env["INIT_CWD"] ?? process.cwd(), folder) : source;
if (target !== source) {
  if (existsSync(target) && readdirSync(target).length > 0) quit(`${target} is not empty. Name a new folder.`);
  cpSync(source, target, { recursive: true, filter: (file) => !NOT_COPIED.includes(path.relative(source, file)) });
}
const packed = mkdtempSync(path.join(tmpdir(), "stet-starter-"));
execFileSync(process.execPath, [path.join(ROOT, "tools/pack.ts"), packed], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
const tarball = readdirSync(packed).find((file) => file.startsWith("stet-client-"));
if (!tarball) quit("The client library could not be packed.");
cpSync(path.join(packed, tarball), path.join(target, "stet-client.tgz"));
rmSync(packed, { recursive: true, force: true });

process.stdout.write(`Starter created. Next:

  cd ${path.relative(process.env["INIT_CWD"] ?? process.cwd(), target) || "."}
  cp .env.example .env      and enter the address of Stet and an API key in it
  npm install
  npm run dev
`);

function quit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
