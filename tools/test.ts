import { spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * `npm test`: every check, then every test; each check counts as one. The last line is the sum. For work in between:
 * `npm test -- --checks` runs the checks only, `npm test -- apps/server/src/http` only the tests named.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const RESULTS = path.join(ROOT, ".cache/vitest.json");
const bin = (name: string): string => path.join(ROOT, "node_modules/.bin", name);

interface Check {
  readonly name: string;
  /** A program of node_modules/.bin, or a file to run with this Node. */
  readonly run: readonly string[];
}

const projects = globSync(["packages/*/tsconfig.json", "apps/*/tsconfig.json", "tools/tsconfig.json"], { cwd: ROOT }).toSorted();
const sources = ["apps", "packages", "tools"];

const CHECKS: readonly Check[] = [
  ...projects.map((project) => ({ name: `types of ${path.dirname(project)}`, run: ["tsc", "-p", path.dirname(project)] })),
  // oxlint is given paths: without them it would also read what is not ours.
  { name: "lint", run: ["oxlint", "--type-aware", "--deny-warnings", ...sources] },
  { name: "format", run: ["oxfmt", "--check", "."] },
  { name: "import rule", run: ["tools/import-rule.ts"] },
  { name: "unused code", run: ["knip"] },
  { name: "generated docs", run: ["apps/server/src/main/cli.ts", "docs", "--check"] },
];

let passed = 0;
let failed = 0;
let skipped = 0;

const filters = process.argv.slice(2);
const checksOnly = filters[0] === "--checks";
if (filters.length === 0 || checksOnly) for (const check of CHECKS) await runCheck(check);
if (!checksOnly) await runTests(filters);

if (skipped > 0) process.stdout.write(`\nNot run: ${skipped} (see the lines marked !! above; STET_TEST_REQUIRE=all makes them failures)\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

async function runCheck({ name, run: [program = "", ...args] }: Check): Promise<void> {
  const started = performance.now();
  const isFile = program.endsWith(".ts");
  const { code, output } = await collect(isFile ? program : bin(program), args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (code === 0) {
    passed += 1;
    process.stdout.write(`  ok  ${name} (${seconds} s)\n`);
  } else {
    failed += 1;
    process.stdout.write(`  !!  ${name} (${seconds} s)\n${output.trimEnd()}\n\n`);
  }
}

/** Programs of npm packages are JavaScript, run with this Node: the one in PATH may be older. */
function collect(file: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

async function runTests(paths: readonly string[]): Promise<void> {
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  rmSync(RESULTS, { force: true });
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`, ...paths];
  const child = spawn(process.execPath, [bin("vitest"), ...args], { cwd: ROOT, stdio: "inherit" });
  const code = await new Promise<number>((resolve) => child.once("close", (ended) => resolve(ended ?? 1)));
  const results = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, "utf8")) as Record<string, number>) : {};
  const count = (name: string): number => results[name] ?? 0;
  passed += count("numPassedTests");
  skipped += count("numPendingTests") + count("numTodoTests");
  // A file that does not even load has no failed test, and an error outside of tests belongs to none.
  failed += code === 0 ? count("numFailedTests") : Math.max(1, count("numFailedTests"));
}
