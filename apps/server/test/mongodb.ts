import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import pg from "pg";
import { inject } from "vitest";
import { builtPart, execute } from "#test/built-parts";
import type { Part } from "#test/parts";

/** A server that speaks the MongoDB protocol, started when it is asked for. */
export interface MongoServer {
  start(): Promise<StartedMongo>;
}

interface StartedMongo {
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Kills it, and starts it again with what it had kept, at the address that it answers with. A server in memory has none. */
  readonly killAndStart?: () => Promise<string>;
}

const SOURCES = path.join(import.meta.dirname, "mongodb-servers");

/** The real thing, where somebody has one: `STET_TEST_MONGODB=mongodb://…`, with the right to create databases. */
export function givenMongo(): Part<MongoServer> | null {
  const url = process.env.STET_TEST_MONGODB;
  return url ? { part: { start: async () => ({ url, stop: async () => {} }) }, detail: "at STET_TEST_MONGODB" } : null;
}

/** FerretDB 1.x on the PostgreSQL of the tests, built once with Go. On its SQLite the suite takes many times as long. */
export const ferretdb = builtPart<MongoServer>({
  name: "FerretDB 1.24",
  source: path.join(SOURCES, "ferretdb"),
  needs: "Go 1.24 or newer",
  async make(source, folder) {
    await execute("go", ["build", "-trimpath", "-o", path.join(folder, "ferretdb"), "."], {
      cwd: source,
      env: { ...process.env, CGO_ENABLED: "0" },
      timeout: 15 * 60_000,
    });
  },
  use: (folder) => ({
    async start() {
      const backend = await createPostgresDatabase();
      const startOne = () => startServer(path.join(folder, "ferretdb"), [backend.url]);
      let server = await startOne();
      return {
        url: server.url,
        async stop() {
          await server.stop();
          await backend.drop();
        },
        async killAndStart() {
          await server.kill();
          server = await startOne();
          return server.url;
        },
      };
    },
  }),
});

async function createPostgresDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject("postgresUrl");
  const name = `ferretdb_${randomBytes(6).toString("hex")}`;
  const run = async (sql: string) => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(sql).finally(() => admin.end());
  };
  await run(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** mongo-java-server, in memory, fetched once with Maven: it finds and modifies in one step, as MongoDB does. */
export const mongoJavaServer = builtPart<MongoServer>({
  name: "mongo-java-server 1.47",
  source: path.join(SOURCES, "mongo-java-server"),
  needs: "Maven and a JDK 17 or newer",
  async make(source, folder) {
    const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
    await execute("mvn", ["-q", "-B", goal, "-DincludeScope=runtime", `-DoutputDirectory=${folder}`], {
      cwd: source,
      timeout: 5 * 60_000,
    });
    await execute("javac", ["-cp", path.join(folder, "*"), "-d", folder, "Server.java"], { cwd: source });
  },
  use: (folder) => ({
    start: () =>
      shareServer(() =>
        startServer("java", [
          // It lives for seconds: compiling its code thoroughly would cost more than it saves.
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          // It answers with the stored document itself and writes it out after its lock is released: on two threads, a writer
          // was told the number that the next one had already taken. On one, an answer is out before the next command begins.
          "-Dio.netty.eventLoopThreads=1",
          "-cp",
          [folder, path.join(folder, "*")].join(path.delimiter),
          "Server",
        ]),
      ),
  }),
});

let shared: ReturnType<typeof startServer> | null = null;
let sharing = 0;

/**
 * One for all files of a worker, which runs them one after another in one process: a Java that starts anew and compiles its code
 * takes longer than most of them. Whoever stops it last leaves it empty; it ends with the worker.
 */
async function shareServer(start: () => ReturnType<typeof startServer>): ReturnType<MongoServer["start"]> {
  shared ??= start().catch((error: unknown) => {
    shared = null;
    throw error;
  });
  const { url } = await shared;
  sharing += 1;
  return {
    url,
    async stop() {
      sharing -= 1;
      if (sharing === 0) await emptyServer(url);
    },
  };
}

async function emptyServer(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

/** The server prints its address, and ends when its standard input does: it cannot outlive the tests. */
async function startServer(command: string, args: readonly string[]): Promise<StartedMongo & { readonly kill: () => Promise<void> }> {
  const server = spawn(command, [...args], { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(server, "exit");
  const url = await Promise.race([firstLine(server), ended.then(() => ""), delay(30_000, "", { ref: false })]);
  if (!url.startsWith("mongodb://")) {
    server.kill("SIGKILL");
    throw new Error(`${path.basename(command)} did not start. Run it by hand to see why: ${command} ${args.join(" ")}`);
  }
  return {
    url,
    async stop() {
      server.stdin.end();
      const patience = setTimeout(() => server.kill("SIGKILL"), 3_000);
      await ended;
      clearTimeout(patience);
    },
    async kill() {
      server.kill("SIGKILL");
      await ended;
    },
  };
}

const firstLine = async (server: ChildProcess): Promise<string> => {
  const [line] = (await once(createInterface(server.stdout!), "line")) as [string];
  return line;
};

/** A database of its own for one test file. */
export const testDatabaseName = (): string => `test_${randomBytes(6).toString("hex")}`;
