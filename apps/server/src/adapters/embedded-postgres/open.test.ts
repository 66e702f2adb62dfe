import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { copyInstallation } from "#test/cluster-template";
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, openEmbeddedPostgres } from "./open.ts";
import { isAlive } from "./processes.ts";
import { readPid } from "./server.ts";

// Real servers start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let base: string;
let folder: string;
let cleanUp: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), "stet-embedded-"));
  folder = path.join(base, "postgres");
  cleanUp = [];
});

afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
  await rm(base, { recursive: true, force: true });
});

async function openHere(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({ folder, role: "service", ...options });
  cleanUp.push(() => server.close());
  return server;
}

/** Another process with the same folder. `said` is how it found the server, or why it refused. */
async function openElsewhere(role: "service" | "command"): Promise<{ child: ChildProcess; said: string; stop: () => Promise<void> }> {
  const program = new URL("../../../test/embedded-service.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, folder, role], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  cleanUp.push(stop);
  const [said] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, said, stop };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function query(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...server.connection });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Asks until it answers: while PostgreSQL starts again, connections fail. */
async function queryWhenReady(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await query(server, text);
    } catch (error) {
      if (attempt > 200) throw error;
      await sleep(50);
    }
  }
}

/** The server removes its pid file, which is what we wait for, an instant before its process ends. */
async function expectEnded(pid: number): Promise<void> {
  expect(await readPid(folder)).toBe(null);
  await expect.poll(() => isAlive(pid)).toBe(false);
}

async function serverPid(): Promise<number> {
  const pid = await readPid(folder);
  if (pid === null) throw new Error("PostgreSQL does not run.");
  return pid;
}

/** Creating a database takes a second, copying one does not. */
const startFromCopy = (): void => beforeEach(() => copyInstallation(base));

describe("an empty folder", () => {
  test("an empty folder becomes a database in UTF-8 with locale C, with fsync on", async () => {
    const server = await openHere();
    expect(server.found).toBe("nothing");
    const [row] = await query(
      server,
      "SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, current_setting('fsync') AS fsync FROM pg_database WHERE datname = current_database()",
    );
    expect(row).toEqual({ encoding: "UTF8", datcollate: "C", fsync: "on" });
    // A Unix socket only.
    expect(await query(server, "SHOW listen_addresses")).toEqual([{ listen_addresses: "" }]);
  });

  test("a data folder deeper than a socket address has room for works", async () => {
    folder = path.join(base, "d".repeat(90), "e".repeat(90), "postgres");
    const server = await openHere();
    expect(Buffer.byteLength(server.connection.host)).toBeLessThan(104);
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await server.close();
    await expect(stat(server.connection.host)).rejects.toThrow("ENOENT");
  });

  test("processes that start at once on an empty folder share one database", async () => {
    const joined = await Promise.all([openElsewhere("service"), openElsewhere("command"), openElsewhere("command")]);
    for (const { said } of joined) expect(["nothing", "stopped", "running"]).toContain(said);
    expect((await readdir(base)).toSorted()).toEqual(["postgres", "postgres.log"]);
  });

  test("what a start left behind that was killed while creating is removed", async () => {
    await mkdir(`${folder}.new-4194300`);
    await openHere();
    expect(await readdir(base)).not.toContain("postgres.new-4194300");
  });

  test("a database of another major version is refused and left alone", async () => {
    await mkdir(folder);
    await writeFile(path.join(folder, "PG_VERSION"), "17\n");
    await expect(openHere()).rejects.toThrow(/was made by PostgreSQL 17; this Stet brings PostgreSQL 18/);
    expect(await readdir(folder)).toEqual(["PG_VERSION"]);
  });

  test("a folder with other files in it is refused and left alone", async () => {
    await mkdir(folder);
    await writeFile(path.join(folder, "photo.jpg"), "");
    await expect(openHere()).rejects.toThrow(/is not empty and holds no database/);
    expect(await readdir(folder)).toEqual(["photo.jpg"]);
  });
});

describe("starting and stopping", () => {
  startFromCopy();

  test("closing stops PostgreSQL, and the next start finds what was written", async () => {
    const first = await openHere();
    await query(first, "CREATE TABLE kept AS SELECT 7 AS n");
    const pid = await serverPid();
    await first.close();
    await expectEnded(pid);
    const second = await openHere();
    expect(second.found).toBe("stopped");
    expect(await query(second, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  });

  test("when PostgreSQL cannot start, its own words are in the message", async () => {
    await expect(openHere({ settings: { shared_buffers: "nonsense" } })).rejects.toThrow(/did not start[\s\S]*shared_buffers/);
  });
});

describe("several processes", () => {
  startFromCopy();

  test("a second service is refused and told the first one's process id", async () => {
    await openHere();
    const { said } = await openElsewhere("service");
    expect(said).toMatch(new RegExp(`^refused: Another Stet service \\(process ${process.pid}\\) uses the database in ${folder}`));
  });

  test("the refused service leaves the first one working", async () => {
    const server = await openHere();
    await openElsewhere("service");
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a command works beside a service and leaves the server running", async () => {
    const server = await openHere();
    const command = await openElsewhere("command");
    expect(command.said).toBe("running");
    await command.stop();
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a command without a service starts the server and stops it", async () => {
    const command = await openElsewhere("command");
    const pid = await serverPid();
    await command.stop();
    await expectEnded(pid);
  });

  test("a command does not stop the server when a service took it over meanwhile", async () => {
    const command = await openElsewhere("command");
    const server = await openHere();
    expect(server.found).toBe("running");
    await command.stop();
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a service that stops leaves the server to a command that still works; the command stops it", async () => {
    const server = await openHere();
    const command = await openElsewhere("command");
    const pid = await serverPid();
    await server.close();
    expect(isAlive(pid)).toBe(true);
    await command.stop();
    await expectEnded(pid);
  });

  test("starting while another process is stopping waits and starts anew", async () => {
    for (let round = 0; round < 5; round++) {
      const before = await openElsewhere("command");
      const stopped = before.stop();
      const server = await openHere();
      await stopped;
      expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      await server.close();
    }
  });

  test("a server that says it stops in the same breath as it lets one in is waited for, too", async () => {
    const message = (type: string, ...parts: (string | number)[]): Buffer => {
      const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([0, 0, 0, part]))));
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4);
      return Buffer.concat([Buffer.from(type), length, body]);
    };
    // The wire's words for "come in", "ask" and "terminating connection due to administrator command".
    const goodbye = Buffer.concat([message("R", 0), message("Z", "I"), message("E", "SFATAL\0C57P01\0Mterminating connection\0\0")]);
    const stopping = createServer((socket) => {
      socket.once("data", () => socket.end(goodbye));
      stopping.close();
    }).listen(path.join(folder, ".s.PGSQL.5432"));
    await once(stopping, "listening");
    const server = await openHere();
    expect(stopping.listening).toBe(false);
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});

describe("after a crash", () => {
  startFromCopy();

  test("the server of a service that was killed is adopted", async () => {
    const killed = await openElsewhere("service");
    const pid = await serverPid();
    await kill(killed.child);
    const server = await openHere();
    expect(server.found).toBe("running");
    expect(await serverPid()).toBe(pid);
    await server.close();
    await expectEnded(pid);
  });

  test("a server that was killed together with its service is recovered", async () => {
    const killed = await openElsewhere("service");
    const pid = await serverPid();
    await kill(killed.child);
    process.kill(pid, "SIGKILL");
    const server = await openHere();
    expect(server.found).toBe("stopped");
    expect(await serverPid()).not.toBe(pid);
  });

  test("a process of the killed server that will not end is waited for", async () => {
    const first = await openElsewhere("command");
    const beside = await openHere({ role: "command" });
    const client = new pg.Client({ ...beside.connection });
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const orphan = rows[0]!.pid;
    process.kill(orphan, "SIGSTOP");
    process.kill(await serverPid(), "SIGKILL");
    await kill(first.child);
    let opened = false;
    const opening = openHere().then((server) => {
      opened = true;
      return server;
    });
    try {
      await sleep(1_500);
      expect(opened).toBe(false);
    } finally {
      process.kill(orphan, "SIGCONT");
    }
    expect((await opening).found).toBe("stopped");
    await client.end().catch(() => {});
  }, 90_000);

  test("a server that dies under a running service starts again by itself with everything that was committed", async () => {
    const messages: string[] = [];
    const server = await openHere({ report: (message) => messages.push(message) });
    await query(server, "CREATE TABLE kept AS SELECT 7 AS n");
    const pid = await serverPid();
    process.kill(pid, "SIGKILL");
    expect(await queryWhenReady(server, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
    expect(messages).toContain("PostgreSQL ended unexpectedly. Starting it again …");
    // It owns the folder again.
    await expect.poll(async () => (await openElsewhere("service")).said, { timeout: 10_000 }).toMatch(/^refused/);
  });

  test("a process id that another program has by now does not keep it from starting", async () => {
    const { uid } = await stat(folder);
    const other = spawn("sleep", ["60"], { uid, cwd: "/" });
    cleanUp.push(async () => other.kill("SIGKILL"));
    await once(other, "spawn");
    await writeFile(path.join(folder, "postmaster.pid"), `${other.pid}\n/proc/self/cwd\n1\n5432\n.\n\n        1         1\nready\n`);
    const server = await openHere();
    expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await readFile(path.join(folder, "postmaster.pid"), "utf8")).not.toContain(String(other.pid));
  });

  test("nor does one that the PostgreSQL of another install has by now, which goes on", async () => {
    const elsewhere = path.join(base, "another", "postgres");
    await copyInstallation(path.dirname(elsewhere));
    const other = await openHere({ folder: elsewhere });
    const pid = await readPid(elsewhere);
    await writeFile(path.join(folder, "postmaster.pid"), `${pid}\n/proc/self/cwd\n1\n5432\n.\n\n        1         1\nready\n`);
    for (const server of [await openHere(), other]) expect(await query(server, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});
