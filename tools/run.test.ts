import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";

/** A folder that looks like the repository to run.mjs: a lockfile, a command that tells what it got, an npm that takes notes. */
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "stet-run-"));
  await mkdir(path.join(root, "apps/server/src/main"), { recursive: true });
  await mkdir(path.join(root, "tools"));
  await cp(path.join(import.meta.dirname, "run.mjs"), path.join(root, "tools/run.mjs"));
  await writeFile(path.join(root, "package.json"), '{ "type": "module" }');
  await writeFile(path.join(root, "package-lock.json"), "{}");
  await writeFile(
    path.join(root, "apps/server/src/main/cli.ts"),
    `const args: string[] = process.argv.slice(2);
     process.on("SIGTERM", () => { console.log("stopped"); process.exit(7); });
     console.log(JSON.stringify(args));
     if (args[0] === "exit") process.exit(Number(args[1]));
     if (args[0] === "die") process.kill(process.pid, "SIGKILL");
     if (args[0] === "wait" || args[0] === "serve") setInterval(() => {}, 1000);`,
  );
  await writeFile(path.join(root, "tools/test.ts"), "");
  await writeFile(
    path.join(root, "npm.mjs"),
    `import { appendFileSync, mkdirSync } from "node:fs";
     if (process.env.FAIL) { console.log("no network"); process.exit(3); }
     await new Promise((resolve) => setTimeout(resolve, 300));
     mkdirSync(process.argv.includes("--include=dev") ? "node_modules/typescript" : "node_modules", { recursive: true });
     appendFileSync("installs.log", process.argv.slice(2).join(" ") + "\\n");
     console.log("added packages");`,
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

function run(args: readonly string[], environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [path.join(root, "tools/run.mjs"), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, npm_execpath: path.join(root, "npm.mjs"), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return {
    child,
    stdout: text(child.stdout!),
    stderr: text(child.stderr!),
    ended: once(child, "exit") as Promise<[number | null, string | null]>,
  };
}

const installLog = () => readFile(path.join(root, "installs.log"), "utf8").then((log) => log.trim().split("\n"));
const installs = async () => (await installLog()).length;
/** Whether each install took the packages of tests and checks. */
const kinds = async () => (await installLog()).map((line) => /--\w+=dev/.exec(line)?.[0]);

test("packages are installed once, and again when the lockfile changed", async () => {
  await run(["stet", "exit", "0"]).ended;
  await run(["stet", "exit", "0"]).ended;
  expect(await installs()).toBe(1);
  await writeFile(path.join(root, "package-lock.json"), '{"changed":true}');
  await run(["stet", "exit", "0"]).ended;
  expect(await installs()).toBe(2);
});

test("a start installs what runs; a test installs the rest, and a later start leaves it there", async () => {
  await run(["stet", "exit", "0"]).ended;
  expect(await kinds()).toEqual(["--omit=dev"]);
  await run(["test"]).ended;
  expect(await kinds()).toEqual(["--omit=dev", "--include=dev"]);
  await run(["stet", "exit", "0"]).ended;
  expect(await kinds()).toHaveLength(2);
  await writeFile(path.join(root, "package-lock.json"), '{"changed":true}');
  await run(["stet", "exit", "0"]).ended;
  expect(await kinds()).toEqual(["--omit=dev", "--include=dev", "--include=dev"]);
});

test("a start leaves packages that were installed by hand", async () => {
  await mkdir(path.join(root, "node_modules/typescript"), { recursive: true });
  await run(["stet", "exit", "0"]).ended;
  await run(["test"]).ended;
  expect(await kinds()).toEqual(["--include=dev"]);
});

test("only what the command says reaches stdout; the install's progress goes to stderr", async () => {
  const { stdout, stderr } = run(["stet", "bootstrap", "--json"]);
  expect(await stdout).toBe('["bootstrap","--json"]\n');
  expect(await stderr).toMatch(/Installing packages[\s\S]*added packages[\s\S]*Packages installed/);
});

test("two commands at once install once", async () => {
  const both = [run(["stet", "exit", "0"]), run(["stet", "exit", "0"])];
  expect((await Promise.all(both.map(({ ended }) => ended))).map(([code]) => code)).toEqual([0, 0]);
  expect(await installs()).toBe(1);
});

test("a lock left behind by a process that was killed does not hold anyone up", async () => {
  await mkdir(path.join(root, ".cache"));
  await writeFile(path.join(root, ".cache/installing"), "4194300");
  expect(await run(["stet", "exit", "0"]).ended).toEqual([0, null]);
});

test("a failed install ends with npm's exit code, and is tried again next time", async () => {
  const failed = run(["stet", "exit", "0"], { FAIL: "1" });
  expect(await failed.ended).toEqual([3, null]);
  expect(await failed.stderr).toMatch(/no network[\s\S]*could not be installed/);
  await expect(stat(path.join(root, ".cache/installing"))).rejects.toThrow("ENOENT");
  expect(await run(["stet", "exit", "0"]).ended).toEqual([0, null]);
});

test("the command's exit code is ours, and so is the signal it died of", async () => {
  expect(await run(["stet", "exit", "42"]).ended).toEqual([42, null]);
  expect(await run(["stet", "die"]).ended).toEqual([null, "SIGKILL"]);
});

test("a signal is passed on, and the command ends in its own time", async () => {
  const { child, stdout, ended } = run(["start"]);
  await once(child.stdout!, "data");
  child.kill("SIGTERM");
  expect(await ended).toEqual([7, null]);
  expect(await stdout).toContain("stopped");
});

test("an unknown command or measurement is refused", async () => {
  expect((await run(["nonsense"]).ended)[0]).toBe(2);
  const bench = run(["bench", "nothing"]);
  expect((await bench.ended)[0]).toBe(2);
  expect(await bench.stderr).toContain("There is no apps/server/bench/nothing.ts.");
});
