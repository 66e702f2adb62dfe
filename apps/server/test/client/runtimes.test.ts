import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { findChromium } from "#test/chromium";
import { freePort } from "#test/free-port";
import { withPart } from "#test/parts";
import { bundleSuite } from "./portable/bundle-suite.ts";
import { startControl } from "./portable/control-server.ts";
import { openSuiteBlog, type SuiteBlog } from "./suite-blog.ts";

/**
 * The client's suite, the same files that run here on Node 24, in a browser and on other runtimes, against the real service. The browser runs it
 * always; the others come from npm into a folder of the test, so only with STET_SOAK=1.
 */
const run = promisify(execFile);
const LONG = process.env["STET_SOAK"] === "1";
const folder = mkdtempSync(path.join(tmpdir(), "stet-runtimes-"));
let blog: SuiteBlog;
let control: Awaited<ReturnType<typeof startControl>>;

/** Every test of these files: fewer would mean that some were not run. */
const ALL_HELD = { passed: 61, failed: [] };

// A blog for each: the suite writes posts.
beforeEach(async () => {
  blog = await openSuiteBlog();
  control = await startControl(blog);
});
afterEach(async () => {
  control.stop();
  await blog.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program of a package from npm, in a folder of its own. */
async function installed(spec: string, pattern: string): Promise<string> {
  const into = path.join(folder, spec.replaceAll(/\W/g, "-"));
  await mkdir(into, { recursive: true });
  await run("npm", ["install", "--silent", "--no-save", "--prefix", into, spec], { cwd: into, maxBuffer: 1e8 });
  const [found] = globSync(pattern, { cwd: into });
  if (found === undefined || !existsSync(path.join(into, found))) throw new Error(`${spec} has no ${pattern}`);
  chmodSync(path.join(into, found), 0o755);
  return path.join(into, found);
}

withPart("Chromium", findChromium(), (launch) => {
  test("a page of another origin than the service", async () => {
    const browser = await launch();
    const page = await browser.newPage();
    await page.goto(control.url);
    await page.addScriptTag({ content: await bundleSuite(control.url, "iife") });
    expect(await page.evaluate("suite.runAll()")).toEqual(ALL_HELD);
    await browser.close();
  }, 60_000);
});

const arch = process.arch === "arm64" ? "arm64" : "x64";
if (LONG) {
  test.each([
    ["Node 20", `node-linux-${arch}@20`, `node_modules/node-linux-${arch}/bin/node`, []],
    ["Node 22", `node-linux-${arch}@22`, `node_modules/node-linux-${arch}/bin/node`, []],
    ["Bun", "bun", "node_modules/bun/bin/bun.exe", []],
    ["Deno", "deno", "node_modules/@deno/linux-*/deno", ["run", "--allow-all"]],
  ] as const)(
    "%s",
    async (_name, spec, pattern, args) => {
      const runtime = await installed(spec, pattern);
      const program = path.join(folder, "suite.mjs");
      await writeFile(program, `${await bundleSuite(control.url, "es")}\nconsole.log(JSON.stringify(await runAll()));\n`);
      const { stdout } = await run(runtime, [...args, program], { cwd: folder });
      expect(JSON.parse(stdout)).toEqual(ALL_HELD);
    },
    300_000,
  );

  test("workerd", async () => {
    const workerd = await installed("workerd", "node_modules/@cloudflare/workerd-linux-*/bin/workerd");
    const suite = await bundleSuite(control.url, "es");
    expect(suite).not.toContain("node:");
    await writeFile(path.join(folder, "worker.mjs"), `${suite}\nexport default { fetch: async () => Response.json(await runAll()) };\n`);
    const port = await freePort();
    await writeFile(
      path.join(folder, "config.capnp"),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.mjs")], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
    );
    const child: ChildProcess = spawn(workerd, ["serve", path.join(folder, "config.capnp")], { stdio: ["ignore", "ignore", "pipe"] });
    try {
      const ask = () =>
        fetch(`http://127.0.0.1:${port}`).then(
          (response) => response.text(),
          () => null,
        );
      let told: string | null = null;
      await expect.poll(async () => (told = await ask()), { timeout: 60_000 }).not.toBeNull();
      expect(JSON.parse(told!)).toEqual(ALL_HELD);
    } finally {
      child.kill();
      await once(child, "exit");
    }
  }, 300_000);
} else test.skip("Node 20, Node 22, Bun, Deno, workerd (STET_SOAK=1)", () => {});
