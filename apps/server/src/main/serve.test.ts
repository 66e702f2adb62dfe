import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import { openBreakableProxy } from "#test/breakable-proxy";
import { copyInstallation } from "#test/cluster-template";
import { openTestDatabase } from "#test/postgres";
import { freePort } from "#test/free-port";
import { withPart } from "#test/parts";
import { findRedis } from "#test/redis";
import { runStet } from "#test/stet-command";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const CLI = new URL("./cli.ts", import.meta.url).pathname;

let base: string;
let running: ChildProcess[] = [];
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), "stet-serve-"));
});
afterEach(async () => {
  await Promise.all(running.map(stop));
  running = [];
});
afterAll(() => rm(base, { recursive: true, force: true }));

interface Run {
  readonly child: ChildProcess;
  readonly stdout: Promise<string>;
  readonly stderr: Promise<string>;
  readonly code: Promise<number | null>;
}

/** The command in a process of its own, with these settings only. */
function run(args: readonly string[], settings: Record<string, string>): Run {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  return {
    child,
    stdout: text(child.stdout),
    stderr: text(child.stderr),
    code: once(child, "exit").then(([code]) => code as number | null),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function untilReady(port: number, run: Run): Promise<void> {
  for (;;) {
    if (run.child.exitCode !== null) throw new Error(`It ended: ${await run.stderr}`);
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(50);
  }
}

describe("with the embedded database", () => {
  test("it serves, survives the death of its database, refuses a second service, and stops with everything it started", async () => {
    const port = await freePort();
    const settings = { PORT: String(port), STET_DATA: path.join(base, "whole life") };
    const service = run(["serve"], settings);
    await untilReady(port, service);
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()).toEqual({ status: "alive" });
    expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);

    const second = run(["serve"], { ...settings, PORT: String(await freePort()) });
    expect(await second.code).toBe(1);
    expect(await second.stderr).toContain(`Another Stet service (process ${service.child.pid}) uses the database`);

    const pidFile = path.join(settings.STET_DATA, "postgres", "postmaster.pid");
    const killed = Number.parseInt(await readFile(pidFile, "utf8"), 10);
    process.kill(killed, "SIGKILL");
    await sleep(50);
    await untilReady(port, service);

    const doctor = await runStet(["doctor"], settings);
    expect(doctor.code).toBe(0);
    const report = doctor.stdout;
    expect(report).toContain(`The service runs on port ${port}.`);
    expect(report).toContain("Schema: up to date");

    service.child.kill("SIGTERM");
    expect(await service.code).toBe(0);
    expect(await service.stdout).toMatch(/Stet is ready at[\s\S]*Stopping \(SIGTERM\)[\s\S]*Stopped\./);
    await expect(stat(pidFile)).rejects.toThrow("ENOENT");
  });

  test("asked to stop while it still starts, it stops cleanly", async () => {
    const settings = { PORT: String(await freePort()), STET_DATA: path.join(base, "hurry") };
    const service = run(["serve"], settings);
    await expect
      .poll(
        () =>
          stat(`${settings.STET_DATA}/postgres.log`).then(
            () => true,
            () => false,
          ),
        { timeout: 100_000 },
      )
      .toBe(true);
    service.child.kill("SIGINT");
    expect(await service.code).toBe(0);
    await expect(stat(path.join(settings.STET_DATA, "postgres", "postmaster.pid"))).rejects.toThrow("ENOENT");
  });
});

describe("with DATABASE_URL", () => {
  test("it uses that server and starts none of its own", async () => {
    const database = await openTestDatabase({ migrated: false });
    await database.close();
    const port = await freePort();
    const settings = { PORT: String(port), STET_DATA: path.join(base, "external"), DATABASE_URL: database.url };
    const service = run(["serve"], settings);
    await untilReady(port, service);
    await expect(stat(path.join(settings.STET_DATA, "postgres"))).rejects.toThrow("ENOENT");
    service.child.kill("SIGTERM");
    expect(await service.code).toBe(0);
  });

  test("once it serves it goes on, though nobody reads its log and its database has lost a table", async () => {
    const database = await openTestDatabase();
    // Read when it has begun to serve, and by nothing before.
    await database.query({ text: "ALTER TABLE workspaces RENAME TO lost" });
    await database.close();
    const port = await freePort();
    const service = run(["serve"], { PORT: String(port), STET_DATA: path.join(base, "alone"), DATABASE_URL: database.url });
    service.stdout.catch(() => {});
    service.child.stdout!.destroy();
    await untilReady(port, service);
    // This is a line in the log.
    expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
    await untilReady(port, service);
    service.child.kill("SIGTERM");
    expect(await service.code).toBe(0);
  });

  test("asked to stop, it ends though its database vanished without a word", async () => {
    const database = await openTestDatabase();
    const proxy = await openBreakableProxy(database.url);
    const holder = await database.pool.connect();
    try {
      const port = await freePort();
      const settings = { PORT: String(port), STET_DATA: path.join(base, "vanished"), DATABASE_URL: proxy.url, STET_DRAIN_SECONDS: "1" };
      // Asked right after it began to serve whether it is set up: this answer is still owed when the database vanishes.
      await holder.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE");
      const service = run(["serve"], settings);
      await untilReady(port, service);
      proxy.hang();
      service.child.kill("SIGTERM");
      expect(await Promise.race([service.code, sleep(60_000, "still there", { ref: false })])).toBe(0);
    } finally {
      for (const child of running) child.kill("SIGKILL");
      holder.release(true);
      await proxy.close();
      await database.close();
    }
  });

  test("a database of a newer version is neither served nor touched, and the doctor says so too", async () => {
    const database = await openTestDatabase();
    await database.query({ text: "INSERT INTO stet_migrations (name, hash) VALUES ('9990-later.sql', '')" });
    await database.close();
    const settings = { PORT: String(await freePort()), STET_DATA: path.join(base, "newer"), DATABASE_URL: database.url };
    const service = run(["serve"], settings);
    expect(await service.code).toBe(1);
    const advice = "by a newer Stet (9990-later.sql). Start that version, or restore a backup from before.";
    expect(await service.stderr).toBe(`The database was migrated ${advice}\n`);
    const doctor = await runStet(["doctor"], settings);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(`Schema: created ${advice}`);
  });

  test("a server that cannot be reached is said in words, without the password", async () => {
    const url = `postgres://me:hunter2@127.0.0.1:${await freePort()}/stet`;
    const service = run(["serve"], { STET_DATA: path.join(base, "unreachable"), DATABASE_URL: url });
    expect(await service.code).toBe(1);
    expect(await service.stderr).toMatch(/^The database at DATABASE_URL cannot be used/);
    expect((await service.stderr) + (await service.stdout)).not.toContain("hunter2");
  });

  test("a content cluster that cannot be reached ends the start, so that whoever started it tries again", async () => {
    const database = await openTestDatabase();
    await database.close();
    const service = run(["serve"], {
      STET_DATA: path.join(base, "without-content"),
      DATABASE_URL: database.url,
      CONTENT_URL: `mongodb://127.0.0.1:${await freePort()}/stet`,
    });
    expect(await service.code).toBe(1);
    expect(await service.stderr).toContain("The content database is not responding.");
  });

  withPart("Redis", findRedis(), (startRedis) => {
    test("a port that another program uses ends the start also of one of several nodes that share a Redis", async () => {
      const [database, redis] = [await openTestDatabase(), await startRedis()];
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const nodes = openPostgresRateNodes(database);
      const beats = setInterval(() => void nodes.beat("another", "Redis"), 500);
      try {
        const service = run(["serve"], {
          PORT: String((other.address() as { port: number }).port),
          STET_DATA: path.join(base, "port-and-redis"),
          DATABASE_URL: database.url,
          REDIS_URL: redis.url,
        });
        expect(await service.code).toBe(1);
        expect(await service.stdout).toContain("2 nodes share the limits.");
      } finally {
        clearInterval(beats);
        other.close();
        await Promise.all([database.close(), redis.close()]);
      }
    });
  });
});

test("a port that another program uses ends the start, and the database is stopped again", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const settings = { PORT: String(port), STET_DATA: path.join(base, "port") };
  await copyInstallation(settings.STET_DATA);
  const service = run(["serve"], settings);
  expect(await service.code).toBe(1);
  expect(await service.stderr).toBe(`Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another number.\n`);
  await expect(stat(path.join(settings.STET_DATA, "postgres", "postmaster.pid"))).rejects.toThrow("ENOENT");
  const doctor = await runStet(["doctor"], settings);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(`!! Port ${port} on 127.0.0.1 is in use by another program.`);
  other.close();
});

test("wrong settings end the start with all of them listed, and nothing is touched", async () => {
  const settings = { PORT: "zero", HOST: "0.0.0.0", STET_DATA: path.join(base, "untouched") };
  const service = run(["serve"], settings);
  expect(await service.code).toBe(1);
  expect(await service.stderr).toMatch(/The settings have 2 problems:\n {2}- PORT must be .*\n {2}- HOST is 0\.0\.0\.0/);
  await expect(stat(settings.STET_DATA)).rejects.toThrow("ENOENT");
  const doctor = await runStet(["doctor"], settings);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout.match(/!! Settings:/g)).toHaveLength(2);
});

test("the doctor says when the content cluster does not answer, without the password", async () => {
  const url = `mongodb://me:hunter2@127.0.0.1:${await freePort()}/stet`;
  const doctor = await runStet(["doctor"], { PORT: String(await freePort()), STET_DATA: path.join(base, "cluster"), CONTENT_URL: url });
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain("!! Content store: the cluster at CONTENT_URL does not respond");
  expect(doctor.stdout).not.toContain("hunter2");
});

test("the doctor changes nothing in an install that does not exist yet", async () => {
  const settings = { PORT: String(await freePort()), STET_DATA: path.join(base, "none") };
  const doctor = await runStet(["doctor"], settings);
  expect(doctor.code).toBe(0);
  await expect(stat(settings.STET_DATA)).rejects.toThrow("ENOENT");
});

test("an unknown command is refused with the list of those there are", async () => {
  const unknown = await runStet(["launch"], {});
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('There is no command "launch".');
  expect(unknown.stdout).toMatch(/serve[\s\S]*doctor/);
});
