import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openTestDatabase } from "#test/postgres";
import { type Ran, runStet } from "#test/stet-command";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const CLI = new URL("../cli.ts", import.meta.url).pathname;

let folder: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-commands-"));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = (): Record<string, string> => ({ STET_DATA: folder, DATABASE_URL: database.url, PORT: "4321" });

const stet = (...args: readonly string[]): Promise<Ran> => runStet(args, settings());

/** In a process of its own, as people run it. */
async function stetAlone(...args: readonly string[]): Promise<Ran> {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "exit")]);
  return { code: code as number, stdout, stderr };
}

const ada = ["bootstrap", "--email", "ada@example.com", "--password", "correct horse battery", "--workspace", "Acme", "--website", "Blog"];

describe("stet on the command line", () => {
  test("bootstrap prints one JSON object, and run again uses what is there and makes a new key", async () => {
    const first = await stetAlone(...ada, "--plan", "team", "--posts", "20", "--json");
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain("Sample posts: 20 written");
    const made = JSON.parse(first.stdout);
    expect(made).toEqual({
      userId: expect.stringMatching(/^user_/),
      workspaceId: expect.stringMatching(/^ws_/),
      websiteId: expect.stringMatching(/^site_/),
      apiKey: expect.stringMatching(/^stet_[0-9A-Za-z]{40}$/),
      baseUrl: "http://127.0.0.1:4321/v1",
      mcpUrl: "http://127.0.0.1:4321/mcp",
      openapiUrl: "http://127.0.0.1:4321/v1/openapi.json",
      dashboardUrl: "http://127.0.0.1:4321/",
    });
    expect(Object.keys(made)).toEqual(["userId", "workspaceId", "websiteId", "apiKey", "baseUrl", "mcpUrl", "openapiUrl", "dashboardUrl"]);

    const second = await stet(...ada, "--posts", "25", "--json");
    const again = JSON.parse(second.stdout);
    expect({ ...again, apiKey: "" }).toEqual({ ...made, apiKey: "" });
    expect(again.apiKey).not.toBe(made.apiKey);
    expect(second.stderr).toContain("5 written, 20 were there");
    const count = await database.query<{ count: number }>({ text: "SELECT count(*) FROM posts WHERE status = 'published'" });
    expect(count.rows[0]!.count).toBe(25);

    const wrong = await stet(...ada.slice(0, 4), "not the password", ...ada.slice(5), "--json");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("not its password");

    // Export, import into another website, and back: the same content.
    const file = path.join(folder, "blog.ndjson");
    expect(await stet("export", made.websiteId, "--out", file)).toMatchObject({ code: 0, stdout: "" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const other = JSON.parse((await stet(...ada.slice(0, -1), "Copy", "--json")).stdout);
    const result = await stet("import", other.websiteId, file);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining("25 posts, 25 revisions") });
    const copy = await stetAlone("export", other.websiteId);
    expect(copy.stdout.split("\n").slice(1, -2)).toEqual((await readFile(file, "utf8")).split("\n").slice(1, -2));

    const cut = path.join(folder, "cut.ndjson");
    await writeFile(cut, copy.stdout.slice(0, 50_000));
    const refused = await stetAlone("import", other.websiteId, cut);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/Line \d+ is not JSON/);

    const readable = await stet(...ada, "--posts", "100");
    expect(readable.stdout).toContain("API key    stet_");
    expect(readable.stderr).toContain("Sample posts: 100 of 100");
    expect(await stet("plan", "set", made.workspaceId, "team")).toMatchObject({ code: 0, stdout: "The plan is team already.\n" });
  });

  test("user reset-link prints a link that works once, and says when there is no such account", async () => {
    await stet(...ada, "--json");
    const { code, stdout, stderr } = await stet("user", "reset-link", "Ada@Example.com");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:4321\/reset-password\?token=[\w-]{32}\n$/)]);
    expect(stderr).toContain("Works once and expires in an hour");
    const { rows } = await database.pool.query<{ identifier: string; value: string }>(`SELECT identifier, value FROM verification`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.identifier).not.toContain(stdout.trim().split("=")[1]);
    const lost = await stet("user", "reset-link", "ada@example.com", "--without-second-factor");
    expect([lost.code, lost.stderr]).toEqual([0, expect.stringContaining("Two-factor sign-in is now off")]);
    const missing = await stet("user", "reset-link", "nobody@example.com");
    expect([missing.code, missing.stdout, missing.stderr]).toEqual([1, "", expect.stringContaining("No account has the address")]);
  });

  test("what is written wrong is said before anything is opened", async () => {
    const result = await stet("plan", "set", "ws_1", "gold");
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("must be the id of a workspace");
    expect(result.stderr).toContain("PLAN must be one of free, starter, team, unlimited");
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });
});
