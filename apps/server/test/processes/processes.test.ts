import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import { startSession } from "#adapters/accounts/sessions";
import { createKeyring } from "#adapters/keyring/keyring";
import { newId } from "#domain/ids";
import { plansWith } from "#domain/plans";
import { authSecrets } from "#main/secret-check";
import { registry } from "#operations/registry";
import { databaseUrl, onServer } from "#test/postgres-databases";
import { type ServiceProcess, startService } from "#test/service-process";
import { openTestServices } from "#test/services";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: process.env.STET_SOAK ? 900_000 : 120_000, hookTimeout: 120_000 });

const CLI = path.resolve(import.meta.dirname, "../../src/main/cli.ts");
const SECRET = "a secret that several processes share in tests";
const PLANS = { team: { requestsPerMonth: 1_000_000_000, ratePerSecond: 1_000_000, burst: 1_000_000 } } as const;
const PAIRS = process.env.STET_SOAK ? 1_000 : 100;

const folder = await mkdtemp(path.join(tmpdir(), "stet-processes-"));
await writeFile(path.join(folder, "plans.json"), JSON.stringify(PLANS));
const keyring = createKeyring([SECRET]);
const services = await openTestServices({ keyring, plans: plansWith(PLANS), clock: () => new Date() });
const service = await start();
afterAll(async () => {
  await service.stop();
  await services.close();
  await rm(folder, { recursive: true, force: true });
});
const tenant = await services.makeTenant();
const websiteId = tenant.website.id;
const { key } = await services.call(registry.create_key, tenant.actor, { websiteId, name: "Test" });
const { auth } = openAccounts({ pool: services.database.pool, ...authSecrets(keyring), baseUrl: service.url, signups: false });
const cookie = (await startSession(auth, tenant.owner.id)).split(";")[0]!;

function settings(): Record<string, string> {
  return {
    STET_PROCESSES: "2",
    STET_DATA: path.join(folder, "data"),
    DATABASE_URL: services.database.pool.options.connectionString!,
    STET_SECRET: SECRET,
    STET_PLANS: path.join(folder, "plans.json"),
    STET_LOG: "info",
  };
}

function start(): Promise<ServiceProcess> {
  return startService(settings());
}

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers whose shape other tests check
  readonly json: any;
}

/** Over a connection of its own, unless it is given one. */
function ask(below: string, headers: Record<string, string>, body?: object, agent: Agent | false = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(service.url + below, { agent, method: body ? "POST" : "GET", headers }, (response) => {
      text(response).then(
        (said) => resolve({ status: response.statusCode!, json: said.startsWith("{") ? JSON.parse(said) : said }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}
const read = (below: string, agent?: Agent) => ask(`/v1/blog${below}`, { Authorization: `Bearer ${key}` }, undefined, agent);

/** A connection to each process: the system decides who accepts one, so they are opened until both have. */
async function connectToEach(): Promise<readonly Agent[]> {
  const connections = new Map<string, Agent>();
  for (let n = 0; connections.size < 2; n++) {
    // Opened side by side, so that one process alone cannot take them all.
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const ids = agents.map(() => newId("request", Date.now()));
    await Promise.all(agents.map((agent, at) => ask("/api/session", { "X-Request-Id": ids[at]! }, undefined, agent)));
    const processOf = (id: string) => new RegExp(`"process":(\\d+),"requestId":"${id}"`).exec(service.log())?.[1];
    await expect.poll(() => ids.every(processOf)).toBe(true);
    for (const [at, id] of ids.entries()) {
      const number = processOf(id)!;
      if (connections.has(number)) agents[at]!.destroy();
      else connections.set(number, agents[at]!);
    }
    if (n > 100) throw new Error("One of the processes accepts no connection.");
  }
  return [...connections.values()];
}
async function call(operation: string, input: object): Promise<{ id: string; version: number; working: { title: string } }> {
  const headers = { "Content-Type": "application/json", Origin: service.url, Cookie: cookie };
  const { status, json } = await ask(`/api/rpc/${operation}`, headers, { websiteId, ...input });
  if (status !== 200) throw new Error(`${operation} was answered with ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

/** The processes that a service started, by their ids. */
async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,stat="]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return rows.filter(([, ppid, stat]) => Number(ppid) === parent && !stat?.startsWith("Z")).map(([pid]) => Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test(`what was published is read by the next request, whichever process answers, ${PAIRS} times`, async () => {
  let post = await call("create_post", { title: "Title 0", body: "Text." });
  post = await call("publish_post", { postId: post.id, expectedVersion: post.version });
  const each = await connectToEach();
  const stale: string[] = [];
  for (let n = 1; n <= PAIRS; n++) {
    const title = `Title ${n}`;
    post = await call("edit_post", { postId: post.id, expectedVersion: post.version, title });
    post = await call("update_live_post", { postId: post.id, expectedVersion: post.version });
    const answers = await Promise.all([read(`/posts/${post.id}`), ...each.map((connection) => read(`/posts/${post.id}`, connection))]);
    for (const { status, json } of answers)
      if (status !== 200 || json.data.title !== title) stale.push(`${title}: ${status} ${json.data?.title}`);
  }
  for (const connection of each) connection.destroy();
  expect(stale).toEqual([]);
});

test("both processes answer, their numbers are one, and what only one can do is done by the parent alone", async () => {
  const requests = async () => {
    const { json } = await ask("/metrics", {});
    return {
      text: json as string,
      reads: Number(/^stet_delivery_requests_total\{route="\/blog\/tags",status="2xx"\} (\d+)/m.exec(json)?.[1]),
    };
  };
  const each = await connectToEach();
  for (const connection of [...each, ...each, ...each]) await read("/tags", connection);
  // Whoever is asked says the same.
  const [one, two] = [await requests(), await requests()];
  expect([one.reads, two.reads]).toEqual([6, 6]);
  expect(one.text).toMatch(/^stet_processes 2$/m);
  for (const connection of each) connection.destroy();
  // One connection listens for changes of other nodes.
  const { rows } = await services.database.query<{ n: number }>({
    text: "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  });
  expect(rows[0]!.n).toBe(1);
});

test("a process that is killed loses no save that was acknowledged, and is replaced", async () => {
  const children = await childrenOf(service.pid);
  expect(children).toHaveLength(2);
  const acknowledged = new Map<string, string>();
  const save = async (n: number): Promise<void> => {
    const title = `Saved ${n}`;
    try {
      acknowledged.set((await call("create_post", { title, body: "Text." })).id, title);
    } catch {
      // Its process was killed: nothing was acknowledged.
    }
  };
  for (let n = 0; n < 40; n += 4) {
    const saves = [n, n + 1, n + 2, n + 3].map(save);
    if (n === 16) process.kill(children[0]!, "SIGKILL");
    await Promise.all(saves);
  }
  await expect.poll(async () => (await childrenOf(service.pid)).length, { timeout: 60_000 }).toBe(2);
  await expect.poll(async () => (await ask("/metrics", {}).catch(() => null))?.json, { timeout: 60_000 }).toMatch(/^stet_processes 2$/m);
  expect(acknowledged.size).toBeGreaterThan(30);
  for (const [id, title] of acknowledged) expect((await call("get_post", { postId: id })).working.title).toBe(title);
});

test("a process whose start fails because the database refuses it for a moment is replaced, too", async () => {
  const url = new URL(services.database.pool.options.connectionString!);
  const allow = (isAllowed: boolean) =>
    onServer(databaseUrl(url.href, "postgres"), `ALTER DATABASE ${url.pathname.slice(1)} ALLOW_CONNECTIONS ${isAllowed}`);
  const [one] = await childrenOf(service.pid);
  await allow(false);
  try {
    process.kill(one!, "SIGKILL");
    await expect.poll(() => service.log(), { timeout: 60_000 }).toContain("A serving process ended (code 1)");
  } finally {
    await allow(true);
  }
  await expect.poll(async () => (await ask("/metrics", {}).catch(() => null))?.json, { timeout: 60_000 }).toMatch(/^stet_processes 2$/m);
});

test.skipIf(!process.env.STET_SOAK)("processes that stood still with their parent go on, and none is ended", async () => {
  const children = await childrenOf(service.pid);
  const all = [service.pid, ...children];
  for (const pid of all) process.kill(pid, "SIGSTOP");
  await sleep(31_000);
  for (const pid of all.toReversed()) process.kill(pid, "SIGCONT");
  await sleep(2_000);
  expect(await childrenOf(service.pid)).toEqual(children);
  expect(await read("/tags")).toMatchObject({ status: 200 });
});

test("asked to stop, every process ends by itself, one that still loads too, and no answer is lost", async () => {
  const before = await childrenOf(service.pid);
  process.kill(before[0]!, "SIGKILL");
  const starting = await vi.waitUntil(async () => (await childrenOf(service.pid)).find((pid) => !before.includes(pid)), {
    timeout: 60_000,
  });
  const under = Array.from({ length: 16 }, () => ask("/api/session", {}));
  const answers = Promise.allSettled(under);
  await under[0];
  await service.stop();
  expect((await answers).map((answer) => (answer.status === "fulfilled" ? answer.value.status : answer.reason))).toEqual(
    Array.from({ length: 16 }, () => 200),
  );
  expect(service.log()).toContain("Stopped.");
  expect(service.log()).not.toContain("did not end in time");
  expect([before[1]!, starting].filter(isAlive)).toEqual([]);
});

test("a port that another program uses ends the start with its reason, and no process is left", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const parent = spawn(process.execPath, [CLI, "serve"], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings(), PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(parent.stderr);
  const ended = once(parent, "exit");
  const children = await vi.waitUntil(
    async () => {
      const found = await childrenOf(parent.pid!);
      return found.length === 2 && found;
    },
    { timeout: 60_000 },
  );
  expect(await ended).toEqual([1, null]);
  expect(await said).toContain(`Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another number.`);
  expect(await said).toMatch(/Serving process [12] did not start \(code 1\)/);
  expect(children.filter(isAlive)).toEqual([]);
  taken.close();
});

test("nothing goes on serving when the parent is killed", async () => {
  const other = await start();
  // It is ready when one of them serves.
  await expect.poll(async () => (await childrenOf(other.pid)).length, { timeout: 60_000 }).toBe(2);
  const children = await childrenOf(other.pid);
  process.kill(other.pid, "SIGKILL");
  await expect.poll(() => children.filter(isAlive), { timeout: 20_000 }).toEqual([]);
  await expect(other.fetch("/healthz")).rejects.toThrow();
});
