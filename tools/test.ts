import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import path from "node:path";

/**
 * `npm test`: every check and every test; each check counts as one. The last line is the sum. For work in between:
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

const sources = ["apps", "packages", "tools"];

const CHECKS: readonly Check[] = [
  // In one run: each reads all types, and that takes most of the time. oxlint is given paths, or it would also read what is not ours.
  { name: "types and lint", run: ["oxlint", "--type-aware", "--type-check", "--deny-warnings", ...sources] },
  { name: "format", run: ["oxfmt", "--check", "."] },
  { name: "import rule", run: ["tools/import-rule.ts"] },
  { name: "unused code", run: ["knip"] },
  { name: "generated client types", run: ["tools/client-types.ts", "--check"] },
  { name: "generated view script", run: ["tools/view-script.ts", "--check"] },
  { name: "generated docs", run: ["apps/server/src/main/cli.ts", "docs", "--check"] },
];

let passed = 0;
let failed = 0;
let skipped = 0;

const filters = process.argv.slice(2);
const checksOnly = filters[0] === "--checks";
const everything = filters.length === 0;
// Tests often wait for a server or a page: the checks run in those moments, at a lower priority, and are told after the tests.
const checked = everything || checksOnly ? runChecks(everything) : Promise.resolve("");
if (!checksOnly) await runTests(filters);
process.stdout.write(await checked);

if (skipped > 0) process.stdout.write(`\nNot run: ${skipped} (see the lines marked !! above; STET_TEST_REQUIRE=all makes them failures)\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

async function runChecks(isBeside: boolean): Promise<string> {
  let report = "";
  for (const check of CHECKS) {
    const line = await runCheck(check, isBeside);
    if (isBeside) report += line;
    else process.stdout.write(line);
  }
  return report;
}

async function runCheck({ name, run: [program = "", ...args] }: Check, isBeside: boolean): Promise<string> {
  const started = performance.now();
  const isFile = program.endsWith(".ts");
  const { code, output } = await collect(isFile ? program : bin(program), args, isBeside);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (code === 0) {
    passed += 1;
    return `  ok  ${name} (${seconds} s)\n`;
  }
  failed += 1;
  return `  !!  ${name} (${seconds} s)\n${output.trimEnd()}\n\n`;
}

/** Programs of npm packages are JavaScript, run with this Node: the one in PATH may be older. */
function collect(file: string, args: readonly string[], isBeside: boolean): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    if (isBeside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

async function runTests(paths: readonly string[]): Promise<void> {
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  rmSync(RESULTS, { force: true });
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`, ...paths];
  const child = spawn(process.execPath, [bin("vitest"), ...args], { cwd: ROOT, stdio: "inherit" });
  const code = await new Promise<number>((resolve) => child.once("close", (ended) => resolve(ended ?? 1)));
  const results = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, "utf8")) as Results) : null;
  passed += results?.numPassedTests ?? 0;
  skipped += (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0);
  // A file that does not even load has no failed test, and an error outside of tests belongs to none.
  const failures = results?.numFailedTests ?? 0;
  failed += code === 0 ? failures : Math.max(1, failures);
  if (results && everything) tellSlowest(results);
}

/** Where the time goes is told by every run, so that nobody has to look for it when the budget of CONTRIBUTING.md is spent. */
function tellSlowest({ testResults }: Results): void {
  const files = testResults.map(({ name, startTime, endTime }) => ({
    file: path.relative(ROOT, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  process.stdout.write(`\nThe ten slowest files:\n`);
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
  process.stdout.write(`All tests: ${Math.round(performance.now() / 1000)} s\n\n`);
}
