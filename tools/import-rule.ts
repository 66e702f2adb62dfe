import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import config from "../.dependency-cruiser.js";

/**
 * The import rule: no file of ours breaks it, each rule does find its breach in the fixture, and the parser reads what it
 * is given. The last two because dependency-cruiser reports success when it could not read a single module.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const FIXTURE = path.join(ROOT, "tools/fixtures/import-rule");

interface Result {
  readonly modules: readonly { source: string; dependencies: readonly unknown[] }[];
  readonly summary: { readonly violations: readonly { from: string; to: string; rule: { name: string } }[] };
}

async function cruise(folder: string, paths: readonly string[]): Promise<Result> {
  const program = path.join(ROOT, "node_modules/.bin/depcruise");
  const options = ["--config", path.join(ROOT, ".dependency-cruiser.js"), "--output-type", "json", ...paths];
  const run = promisify(execFile)(process.execPath, [program, ...options], { cwd: folder, maxBuffer: 256 * 1024 * 1024 });
  // Violations are an exit code too; the answer is in the output either way.
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  try {
    return JSON.parse(stdout) as Result;
  } catch {
    throw new Error(`dependency-cruiser gave no answer:\n${stderr || stdout}`);
  }
}

const problems: string[] = [];

const ours = await cruise(ROOT, [
  "apps/server/src",
  "apps/server/bench",
  "apps/dashboard/src",
  "apps/dashboard/vite.config.ts",
  "packages",
]);
for (const { from, to, rule } of ours.summary.violations) problems.push(`${rule.name}: ${from} → ${to}`);
const read = ours.modules.filter(({ source, dependencies }) => source.startsWith("apps/server/src/") && dependencies.length > 0);
if (read.length < 20) problems.push(`Only ${read.length} modules were read. Is @swc/core installed?`);

const broken = await cruise(FIXTURE, ["apps", "packages"]);
const found = new Set(broken.summary.violations.map(({ rule }) => rule.name));
for (const { name } of config.forbidden) {
  if (!found.has(name)) problems.push(`The rule ${name} finds nothing in ${path.relative(ROOT, FIXTURE)}, where it is broken.`);
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
} else process.stdout.write(`${read.length} modules read, ${config.forbidden.length} rules\n`);
