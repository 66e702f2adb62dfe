import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { mongoJavaServer, type MongoServer, testDatabaseName } from "#test/mongodb";
import { openTestDatabase } from "#test/postgres";
import { withPart } from "#test/parts";
import { runStet } from "#test/stet-command";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });
const CLI = path.resolve(import.meta.dirname, "../../src/main/cli.ts");

withPart(mongoJavaServer.name, mongoJavaServer.find(), (server: MongoServer) => {
  let started: Awaited<ReturnType<MongoServer["start"]>>;
  let folder: string;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let customer: MongoClient;
  beforeAll(async () => {
    started = await server.start();
    folder = await mkdtemp(path.join(tmpdir(), "stet-own-database-"));
    database = closedAtEnd(await openTestDatabase());
    customer = new MongoClient(started.url);
  });
  afterAll(async () => {
    await customer.close();
    await started.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const settings = () => ({ STET_DATA: folder, DATABASE_URL: database.url, STET_ALLOW_PRIVATE_TARGETS: "true" });
  const start = (args: readonly string[], input = "") => {
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings() };
    const child = spawn(process.execPath, [CLI, ...args], { env });
    child.stdin.end(input);
    return child;
  };
  const stet = async (args: readonly string[], input = "") => {
    if (input === "") return runStet(args, settings());
    const child = start(args, input);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { code: code as number, stdout, stderr };
  };

  /** One of `own-db`, with `--json`. */
  const ownDb = async (args: readonly string[], input = "") => {
    const { code, stdout, stderr } = await stet(["own-db", ...args, "--json"], input);
    return { code, stderr, view: stdout === "" ? null : (JSON.parse(stdout) as Record<string, unknown>) };
  };
  const ada = ["--email", "ada@example.com", "--password", "correct horse battery", "--workspace", "Acme", "--website", "Blog"];
  let at: readonly string[];
  let name: string;
  const address = () => `${started.url.replace(/\/$/, "")}/${name}\n`;

  test("fault 1: migrate is killed in the middle and repeated, activate, disconnect; the report has the same sums both ways", async () => {
    const { websiteId } = JSON.parse((await stet(["bootstrap", ...ada, "--posts", "15", "--json"])).stdout) as { websiteId: string };
    at = ["--website", websiteId];
    name = testDatabaseName();
    const file = path.join(folder, "address");
    await writeFile(file, address());

    const killed = start(["own-db", "migrate", ...at, "--url-file", file]);
    await expect.poll(() => customer.db(name).collection("posts").countDocuments(), { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    // The lease of the one that was killed is over: by its time, not by a rest of this test.
    await database.query({ text: "UPDATE moves SET look_at = now()" });
    const migrated = await stet(["own-db", "migrate", ...at, "--json"]);
    expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(migrated.stdout)).toMatchObject({ home: "managed", move: { state: "done", error: null } });
    const sums = async () => (JSON.parse((await stet(["own-db", "report", ...at])).stdout) as { report: { sums: object } }).report.sums;
    const before = await sums();
    expect(before).toMatchObject({ post: { count: 15 } });

    expect(await stet(["own-db", "activate", ...at])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("The content lies in its own database.") as string,
    });
    expect(await stet(["own-db", "disconnect", ...at])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("The content lies on this server.") as string,
    });
    expect(await sums()).toEqual(before);
  });

  test("test and migrate take an address from the input, status says where the content lies; fetch brings what a left database has, and writes nothing there", async () => {
    const wrong = await ownDb(["test", ...at, "--url-file", "-"], "mongodb://ada:SeCret@127.0.0.1:1/blog");
    expect(wrong).toMatchObject({ code: 1, view: { report: { passed: false, step: "tcp" } } });
    expect(JSON.stringify(wrong)).not.toContain("SeCret");
    expect(await ownDb(["test", ...at, "--url-file", "-"], address())).toMatchObject({ code: 0, view: { report: { passed: true } } });
    expect(await ownDb(["migrate", ...at, "--url-file", "-"], address())).toMatchObject({ code: 0, view: { home: "managed" } });
    expect(await ownDb(["activate", ...at])).toMatchObject({ code: 0, view: { home: "own", move: { state: "done" } } });

    // Written there while the website lies there; the copy that stays with the install has never heard of it.
    const posts = customer.db(name).collection("posts");
    const post = await posts.findOne({ workingBody: { $type: "string" } });
    await posts.updateOne({ _id: post!._id }, { $set: { workingBody: "Only there." } });
    const dump = async () => JSON.stringify(await posts.find().sort({ _id: 1 }).toArray());
    const before = await dump();
    expect(await ownDb(["disconnect", ...at, "--without-copying", "--confirm", "Blog"])).toMatchObject({
      code: 0,
      view: { home: "managed", database: null, left: { fetchedAt: null } },
    });
    const done = {
      home: "managed",
      left: { fetchedAt: expect.any(String) as string },
      fetching: { state: "done", brought: { posts: 0, versions: 1 } },
    };
    expect(await ownDb(["fetch", ...at, "--url-file", "-"], address())).toMatchObject({ code: 0, view: done });
    expect(await ownDb(["status", ...at])).toMatchObject({ code: 0, view: done });
    expect(await dump()).toBe(before);
  });
});
