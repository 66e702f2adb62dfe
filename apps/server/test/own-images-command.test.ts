import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { withPart } from "#test/parts";
import { runStet } from "#test/stet-command";
import { type S3Server, versitygw } from "#test/s3";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });
const CLI = path.resolve(import.meta.dirname, "../src/main/cli.ts");

withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
  let started: Awaited<ReturnType<S3Server["start"]>>;
  let folder: string;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    started = await server.start();
    folder = await mkdtemp(path.join(tmpdir(), "stet-own-images-"));
    database = closedAtEnd(await openTestDatabase());
  });
  afterAll(async () => {
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
  const count = async (where: string) => {
    const { rows } = await database.query<{ n: number }>({ text: `SELECT count(*) AS n FROM media_files WHERE ${where}` });
    return Number(rows[0]!.n);
  };

  test("test, move that is killed and repeated, activate, disconnect: each says when it is done, and the key is never shown", async () => {
    const ada = ["--email", "ada@example.com", "--password", "correct horse battery", "--workspace", "Acme", "--website", "Blog"];
    const { websiteId } = JSON.parse((await stet(["bootstrap", ...ada, "--posts", "60", "--json"])).stdout) as { websiteId: string };
    const total = await count("true");
    expect(total).toBeGreaterThan(3);
    const at = ["--website", websiteId];
    const file = path.join(folder, "address");
    await writeFile(file, `${started.url}\n`);

    const wrong = await stet(["images", "test", ...at, "--url-file", "-"], started.url.replace("CRET", "wrong"));
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining("SignatureDoesNotMatch") as string });
    expect(wrong.stdout + wrong.stderr).not.toContain("wrong%2B");
    expect(await stet(["images", "move", ...at])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Connect one first") as string,
    });

    const killed = start(["images", "move", ...at, "--url-file", file]);
    await expect.poll(() => count("store = 'own'"), { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    // The lease of the one that was killed is over: by its time, not by a rest of this test.
    await database.query({ text: "UPDATE moves SET look_at = now()" });
    const moved = await stet(["images", "move", ...at, "--json"]);
    expect(moved.code, moved.stderr).toBe(0);
    expect(JSON.parse(moved.stdout)).toMatchObject({
      move: { state: "done", done: total, total },
      own: { files: total },
      managed: { files: 0 },
    });
    expect(await stet(["images", "activate", ...at])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("new images go there") as string,
    });
    // An address is read before anything is asked; Cloudinary's hosts are on no machine of a test.
    const cloud = await stet(["images", "test", ...at, "--url-file", "-"], "cloudinary://NO-KEY:SeCret_12345@my-cloud");
    expect(cloud).toMatchObject({ code: 1, stderr: expect.stringContaining("API key, which is a number") as string });
    expect(cloud.stderr).not.toContain("SeCret");
    const back = await stet(["images", "disconnect", ...at]);
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining("Image storage: this server's.") as string });
    expect(await count("store = 'own'")).toBe(0);
    expect((await stet(["images", "status", ...at])).stdout).toContain(`Moving back to this server: done, ${total} of ${total}.`);
  });
});
