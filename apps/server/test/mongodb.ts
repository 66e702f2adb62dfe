import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { inject } from "vitest";
import { announce, type Part } from "#test/parts";

/** A server that speaks the MongoDB protocol, started when it is asked for. */
export interface MongoServer {
  start(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
}

const execute = promisify(execFile);
const SOURCES = path.join(import.meta.dirname, "mongodb-servers");
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "stet-test-parts");

/** The real thing, where somebody has one: `STET_TEST_MONGODB=mongodb://…`, with the right to create databases. */
export async function givenMongo(): Promise<Part<MongoServer> | null> {
  const url = process.env.STET_TEST_MONGODB;
  if (!url) return null;
  announce("MongoDB", "found", "at STET_TEST_MONGODB");
  return { part: { start: async () => ({ url, stop: async () => {} }) }, origin: "found", detail: "at STET_TEST_MONGODB" };
}

/** FerretDB 1.x on the PostgreSQL of the tests, built once with Go. On its SQLite the suite takes many times as long. */
export function ferretdb(): Promise<Part<MongoServer>> {
  return installed({
    name: "FerretDB 1.24",
    source: "ferretdb",
    needs: "Go 1.24 or newer",
    async make(source, folder) {
      await execute("go", ["build", "-trimpath", "-o", path.join(folder, "ferretdb"), "."], {
        cwd: source,
        env: { ...process.env, CGO_ENABLED: "0" },
        timeout: 15 * 60_000,
      });
    },
    async start(folder) {
      const backend = await createPostgresDatabase();
      const server = await startServer(path.join(folder, "ferretdb"), [backend.url]);
      const stop = async () => {
        await server.stop();
        await backend.drop();
      };
      return { url: server.url, stop };
    },
  });
}

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
export function mongoJavaServer(): Promise<Part<MongoServer>> {
  return installed({
    name: "mongo-java-server 1.47",
    source: "mongo-java-server",
    needs: "Maven and a JDK 17 or newer",
    async make(source, folder) {
      const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies";
      await execute("mvn", ["-q", "-B", goal, "-DincludeScope=runtime", `-DoutputDirectory=${folder}`], {
        cwd: source,
        timeout: 5 * 60_000,
      });
      await execute("javac", ["-cp", path.join(folder, "*"), "-d", folder, "Server.java"], { cwd: source });
    },
    start: (folder) =>
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
  });
}

interface Recipe {
  readonly name: string;
  readonly source: string;
  readonly needs: string;
  /** Puts what is needed to start it into the folder. */
  readonly make: (source: string, folder: string) => Promise<void>;
  readonly start: (folder: string) => ReturnType<MongoServer["start"]>;
}

/** Made once, outside the tree, under a name that changes with its source. */
async function installed(recipe: Recipe): Promise<Part<MongoServer>> {
  const source = path.join(SOURCES, recipe.source);
  const folder = path.join(CACHE, `${recipe.source}-${await hashOf(source)}`);
  try {
    const found = await exists(folder);
    if (!found) await makeOnce(recipe, source, folder);
    const detail = `${found ? "in" : "into"} ${folder.replace(homedir(), "~")}`;
    announce(recipe.name, found ? "found" : "installed", detail);
    return { part: { start: () => recipe.start(folder) }, origin: found ? "found" : "installed", detail };
  } catch (error) {
    return { missing: `it could not be installed (it needs ${recipe.needs}): ${lastLine(error)}` };
  }
}

/** Test files run in several processes at once: one makes it, the others wait for it. */
async function makeOnce(recipe: Recipe, source: string, folder: string): Promise<void> {
  const lock = `${folder}.lock`;
  await mkdir(CACHE, { recursive: true });
  const first = await mkdir(lock).then(
    () => true,
    () => false,
  );
  if (!first) {
    while ((await exists(lock)) && !(await isOld(lock))) await delay(500);
    if (await exists(folder)) return;
  }
  const work = await mkdtemp(`${folder}.`);
  try {
    announce(recipe.name, "installed", "is being fetched and built, which takes some minutes the first time");
    // A copy, so that no tool leaves anything in the tree.
    const copy = path.join(work, "source");
    await cp(source, copy, { recursive: true });
    await mkdir(path.join(work, "made"));
    await recipe.make(copy, path.join(work, "made"));
    await rename(path.join(work, "made"), folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
    await rm(lock, { recursive: true, force: true });
  }
}

/** The server prints its address, and ends when its standard input does: it cannot outlive the tests. */
async function startServer(command: string, args: readonly string[]): Promise<{ url: string; stop: () => Promise<void> }> {
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
  };
}

const firstLine = async (server: ChildProcess): Promise<string> => {
  const [line] = (await once(createInterface(server.stdout!), "line")) as [string];
  return line;
};

/** A database of its own for one test file. */
export const testDatabaseName = (): string => `test_${randomBytes(6).toString("hex")}`;

async function hashOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  const hash = createHash("sha256");
  for (const name of names) hash.update(name).update(await readFile(path.join(folder, name)));
  return hash.digest("hex").slice(0, 12);
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const isOld = async (file: string): Promise<boolean> => {
  const made = await stat(file).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs > 20 * 60_000;
};

const lastLine = (error: unknown): string => {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message || String(error)).split("\n").at(-1)!;
};
