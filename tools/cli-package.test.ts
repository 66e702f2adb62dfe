import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The program as somebody installs it: the tarball, in a project of its own. */
const ROOT = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
const project = mkdtempSync(path.join(tmpdir(), "stet-program-"));
let tarball: string;
beforeAll(async () => {
  const { stdout } = await run(process.execPath, [path.join(ROOT, "tools/pack.ts"), project, "cli"], { cwd: ROOT });
  tarball = stdout.trim();
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--prefix", project, tarball], { cwd: project });
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

test("it installs without dependencies, and runs by its name outside of a checkout", async () => {
  const stet = (...args: string[]) =>
    run(process.execPath, [path.join(project, "node_modules/.bin/stet"), ...args], {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: project },
    });
  const { stdout } = await stet("help");
  for (const name of ["login", "whoami", "logout", "listen", "types", "pull", "push"]) expect(stdout).toContain(`\n  ${name}`);
  // Every command loads.
  for (const name of ["whoami", "types", "pull", "push", "listen"]) {
    const args = name === "listen" ? ["--forward", "http://127.0.0.1:9"] : [];
    await expect(stet(name, ...args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("You are not signed in. Run: stet login") as string,
    });
  }
  await expect(stet("nothing")).rejects.toMatchObject({ code: 2 });
});

test("the tarball holds what it should, under the version of the repository, and publint finds nothing wrong with it", async () => {
  const files = (await run("tar", ["tzf", tarball])).stdout.trim().split("\n");
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "dist/stet.js"]) expect(files).toContain(`package/${name}`);
  expect(files.filter((file) => /test|src\/|\.ts$/.test(file))).toEqual([]);
  const installed = JSON.parse(readFileSync(path.join(project, "node_modules/@stet/cli/package.json"), "utf8")) as Record<string, unknown>;
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  expect(installed).toMatchObject({ version, bin: { stet: "dist/stet.js" } });
  expect(Object.keys(installed).filter((key) => /dependencies/i.test(key) || key === "private")).toEqual([]);
  expect(readFileSync(path.join(ROOT, "packages/cli/CHANGELOG.md"), "utf8")).toContain(`## ${version}`);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer } });
  expect(messages).toEqual([]);
});
