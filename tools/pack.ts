import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rolldown } from "rolldown";

/**
 * `npm run packages -- [folder] [package]` makes the packages that are published, all with the version of the repository, as tarballs;
 * without a folder into `.cache/packages`. In the repository a package runs from its source; what others install is made here. A library is
 * ESM, CommonJS, declarations for both, and a package.json whose exports name them; a program is ESM alone, and exports nothing.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const PUBLISHED = ["cli", "client"];

interface Manifest {
  /** Of a program: the file behind its name. */
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}
const readJson = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;
const writeJson = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Answers where the tarball is. */
async function pack(name: string, version: unknown, destination: string): Promise<string> {
  const source = path.join(ROOT, "packages", name);
  const staging = mkdtempSync(path.join(tmpdir(), `stet-pack-${name}-`));
  const manifest = readJson(path.join(source, "package.json"));
  const { private: _private, devDependencies: _dev, exports: _exports, ...published } = manifest;
  const made = manifest.bin ? await makeProgram(source, manifest.bin, staging) : await makeLibrary(source, manifest.exports, staging);
  writeJson(path.join(staging, "package.json"), { ...published, version, ...made, files: ["dist", "CHANGELOG.md"] });
  for (const file of ["README.md", "CHANGELOG.md"]) cpSync(path.join(source, file), path.join(staging, file));
  cpSync(path.join(ROOT, "LICENSE"), path.join(staging, "LICENSE"));

  mkdirSync(destination, { recursive: true });
  const npm = process.env["npm_execpath"];
  const args = ["pack", "--silent", "--pack-destination", destination];
  const tarball = execFileSync(npm ? process.execPath : "npm", npm ? [npm, ...args] : args, { cwd: staging, encoding: "utf8" }).trim();
  rmSync(staging, { recursive: true, force: true });
  return path.join(destination, tarball.split("\n").at(-1)!);
}

/** Answers what its package.json says about it. */
async function makeProgram(source: string, bin: Readonly<Record<string, string>>, staging: string): Promise<Record<string, unknown>> {
  const programs = Object.entries(bin).map(([name, file]) => ({ name, file }));
  const bundle = await rolldown({
    cwd: source,
    input: Object.fromEntries(programs.map(({ name, file }) => [name, file])),
    platform: "node",
  });
  await bundle.write({ format: "es", dir: path.join(staging, "dist"), chunkFileNames: "[name].js" });
  await bundle.close();
  return { bin: Object.fromEntries(programs.map(({ name }) => [name, `dist/${name}.js`])) };
}

/** Answers what its package.json says about it. */
async function makeLibrary(source: string, exported: Manifest["exports"], staging: string): Promise<Record<string, unknown>> {
  const entries = Object.entries(exported).map(([name, file]) => ({ exported: name, name: path.basename(file, ".ts"), file }));
  await build(source, entries, "es", path.join(staging, "dist"));
  await build(source, entries, "cjs", path.join(staging, "dist/cjs"));
  writeJson(path.join(staging, "dist/cjs/package.json"), { type: "commonjs" });
  run("tsc", ["-p", path.join(source, "tsconfig.build.json"), "--outDir", path.join(staging, "dist")]);
  for (const file of globSync("*.d.ts", { cwd: path.join(staging, "dist") })) {
    const types = readFileSync(path.join(staging, "dist", file), "utf8").replaceAll(/(["'])(\.\.?\/[^"']+)\.ts\1/g, "$1$2.js$1");
    for (const folder of ["dist", "dist/cjs"]) writeFileSync(path.join(staging, folder, file), types);
  }
  return resolution(entries);
}

interface Entry {
  readonly exported: string;
  readonly name: string;
  readonly file: string;
}

/** How every resolver finds an entry: by `exports`, or where it knows none of them, by `main`, `types` and `typesVersions`. */
function resolution(entries: readonly Entry[]): Record<string, unknown> {
  const at = (folder: string, name: string) => ({ types: `./${folder}/${name}.d.ts`, default: `./${folder}/${name}.js` });
  const exported = entries.map(
    (entry) => [entry.exported, { import: at("dist", entry.name), require: at("dist/cjs", entry.name) }] as const,
  );
  const below = entries.filter(({ name }) => name !== "index").map(({ name }) => [name, [`./dist/cjs/${name}.d.ts`]] as const);
  return {
    main: "./dist/cjs/index.js",
    module: "./dist/index.js",
    types: "./dist/cjs/index.d.ts",
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    typesVersions: { "*": Object.fromEntries(below) },
  };
}

async function build(source: string, entries: readonly Entry[], format: "es" | "cjs", dir: string): Promise<void> {
  const bundle = await rolldown({
    cwd: source,
    input: Object.fromEntries(entries.map(({ name, file }) => [name, file])),
    external: /^[^./]/,
    // It says that "use client" may be lost; a module of its own keeps it, and a test looks.
    onLog: () => {},
  });
  await bundle.write({ format, dir, preserveModules: true, preserveModulesRoot: path.join(source, "src"), exports: "named" });
  await bundle.close();
}

/** Programs of npm packages are JavaScript, run with this Node: the one in PATH may be older. */
const run = (program: string, args: readonly string[]): void =>
  void execFileSync(process.execPath, [path.join(ROOT, "node_modules/.bin", program), ...args], { cwd: ROOT, stdio: "inherit" });

const { version } = readJson(path.join(ROOT, "package.json"));
const [folder = path.join(ROOT, ".cache/packages"), only] = process.argv.slice(2);
for (const name of PUBLISHED.filter((each) => only === undefined || each === only)) {
  process.stdout.write(`${await pack(name, version, path.resolve(folder))}\n`);
}
