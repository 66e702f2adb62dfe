import { readFile } from "node:fs/promises";
import { BSON } from "mongodb";
import { afterEach, expect, test } from "vitest";
import { FIRST_MILLIS, LONGEST_MILLIS } from "#adapters/own-databases/breaker";
import { LIMITS } from "#adapters/own-databases/own-databases";
import { createClusters } from "#adapters/own-databases/clusters";
import { leastPrivileges } from "#adapters/own-databases/test-connection";
import type { ContentMarker } from "#domain/content-marker";
import { fail, type Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { readConfig } from "#main/config";
import type { OwnDatabaseConnection, OwnDatabases } from "#ports/own-databases";
import { buildPost, testId } from "#test/builders";
import { makeCertificate } from "#test/certificate";
import { ferretdb, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { header, HELLO, openScriptedCluster, type ScriptedCluster } from "./scripted-cluster.ts";
import { testOwnDatabases } from "./through-the-gate.ts";
import { openTlsProxy } from "./tls-proxy.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});
const closing = <T extends { close(): Promise<void> }>(opened: T): T => {
  closers.push(() => opened.close());
  return opened;
};
const cluster = async (...args: Parameters<typeof openScriptedCluster>): Promise<ScriptedCluster> =>
  closing(await openScriptedCluster(...args));
const databasesWith = (options?: Parameters<typeof testOwnDatabases>[0]): OwnDatabases => closing(testOwnDatabases(options));
const to = (port: number, end = ""): OwnDatabaseConnection => ({ url: `mongodb://db.test:${port}/${end}`, ca: null });

const website = testId("website", 1);
const ours: ContentMarker = { installId: "a", publicUrl: "https://blog.test", websiteId: website, epoch: 1, schemaVersion: 1 };
const QUICK = { selectionMillis: 1_000, dialMillis: 400, testMillis: 3_000, answerMillis: 1_000 };
const NONE = { cursor: { id: BSON.Long.ZERO, ns: "stet.stet", firstBatch: [] }, ok: 1 };
const refused = (code: number, errmsg = "refused") => ({ ok: 0, code, errmsg });
const HEALTHY = {
  find: NONE,
  insert: { n: 1, ok: 1 },
  createIndexes: { ok: 1 },
  update: { n: 1, ok: 1 },
  delete: { n: 1, ok: 1 },
  drop: { ok: 1 },
};
const marked = (marker: object) => ({ ...NONE, cursor: { ...NONE.cursor, firstBatch: [{ _id: "marker", ...marker }] } });

test.each([
  ["authentication", /user name or password is wrong/, { saslStart: refused(18) }],
  ["authentication", /authSource/, { saslStart: refused(8000, "bad auth : authentication failed") }],
  ["version", /too old/, { hello: { ...HELLO, maxWireVersion: 6 } }],
  ["version", /too old/, { hello: { ...HELLO, maxWireVersion: 9 } }],
  ["privileges", /can only read\. Give it the role readWrite/, { insert: refused(13) }],
  ["privileges", /not allowed to create indexes/, { createIndexes: refused(13) }],
  ["privileges", /not allowed to delete/, { delete: refused(13) }],
  ["storage", /no space left/, { insert: refused(14_031) }],
  ["storage", /no space left/, { insert: refused(8000, "you are over your space quota, using 512 MB of 512 MB") }],
  ["marker", /another Stet server, at other\.test/, { find: marked({ ...ours, installId: "b", publicUrl: "https://other.test" }) }],
  ["marker", /cannot be read/, { find: marked({ installId: 5 }) }],
  ["version", /refused a command/, { find: refused(59, "no such command: find") }],
  ["version", /not how a database answers/, { hello: () => header(48_000_000, 2013) }],
  ["tcp", /did not answer in time/, { hello: undefined }],
] as const)("a test of an address names the step %s and what to do: %s", async (step, message, script) => {
  const { hello: _, ...rest } = HEALTHY as Record<string, object>;
  const asksForPassword = "saslStart" in script;
  const server = await cluster({ script: { ...rest, ...script } });
  const { url, ca } = to(server.port);
  const report = await databasesWith({ limits: QUICK }).test({ url: asksForPassword ? url.replace("//", "//u:p@") : url, ca }, ours, false);
  expect(report).toEqual({ passed: false, step, message: expect.stringMatching(message) });
});

test("a test names a wrong host, a closed port and missing TLS, and passes where all is well", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: QUICK });
  const report = async (url: string) => databases.test({ url, ca: null }, ours, false);
  expect(await report(`mongodb://no.test:${server.port}/`)).toMatchObject({
    step: "name",
    message: expect.stringMatching(/no\.test was not found/),
  });
  expect(await report("mongodb+srv://x.c.test/")).toMatchObject({ step: "name", message: expect.stringMatching(/SRV record/) });
  expect(await report("mongodb://db.test:9/")).toMatchObject({ step: "tcp", message: expect.stringMatching(/refuses connections/) });
  expect(await report(`mongodb://db.test:${server.port}/?tls=true`)).toMatchObject({ step: "tls" });
  expect(await report(`mongodb://db.test:${server.port}/`)).toEqual({
    passed: true,
    serverVersion: "7.0.0",
    latencyMillis: expect.any(Number),
    readOnly: null,
  });
  expect(leastPrivileges("blog")).toContain('{ role: "readWrite", db: "blog" }');
});

test("a dead cluster is found out once, then refused right away, and tried again by one caller", async () => {
  const databases = databasesWith({ limits: QUICK });
  const server = await cluster({ script: { hello: null } });
  const read = () => databases.withCluster(website, to(server.port), (opened) => opened.readMarker());
  await expect(read()).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
  expect(databases.health(website)).toMatchObject({ state: "down" });
  const started = performance.now();
  for (let n = 0; n < 100; n++) await expect(read()).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
  expect(performance.now() - started).toBeLessThan(300);
  server.script = HEALTHY;
  await expect.poll(() => read().catch(() => "down"), { timeout: 10_000, interval: 100 }).toBeNull();
  expect(databases.health(website)).toEqual({ state: "open", lastError: null });
});

test("at most so many clients are open; the oldest unused one makes room, never one that is in use", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: QUICK, mostOpen: 2 });
  const site = (n: number): WebsiteId => testId("website", n);
  const work = (n: number, then: () => Promise<unknown> = async () => {}) =>
    databases.withCluster(site(n), to(server.port, `d${n}`), async (opened) => {
      await opened.readMarker();
      await then();
      return opened.readMarker();
    });
  await work(1);
  await work(2, async () => {
    await work(3);
    expect([1, 2, 3].map((n) => databases.health(site(n)).state)).toEqual(["closed", "open", "open"]);
    await work(3, () => expect(work(4)).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" }));
    // That we were busy is no failure of the database.
    expect(databases.health(site(4))).toEqual({ state: "closed", lastError: null });
  });
});

test("a website that is forgotten while somebody waits for its database leaves no client open", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: { ...QUICK, inFlight: 1 }, mostOpen: 1 });
  const read = (site: WebsiteId) => databases.withCluster(site, to(server.port), (opened) => opened.readMarker());
  let waiting: Promise<unknown> | undefined;
  await databases.withCluster(website, to(server.port), async () => {
    waiting = read(website);
    databases.forget(website);
  });
  await waiting;
  // There is room for one, and nobody uses it.
  await read(testId("website", 2));
});

test("once they are closed nothing is opened any more, and what is broken off is not held against a database", async () => {
  const server = await cluster({ script: HEALTHY });
  const outcomes: string[] = [];
  const databases = databasesWith({ limits: QUICK, onOutcome: (_, { kind }) => outcomes.push(kind) });
  const over = databases.withCluster(website, to(server.port), async (opened) => {
    await databases.close();
    return opened.readMarker();
  });
  await expect(over).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
  await expect(databases.withCluster(website, to(server.port), () => expect.fail())).rejects.toMatchObject({
    code: "CONTENT_STORE_UNAVAILABLE",
  });
  expect(outcomes).toEqual([]);
});

test("where all clients are in use, a website waits for its turn", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: { ...QUICK, selectionMillis: 20_000 }, mostOpen: 2 });
  const works = Array.from({ length: 16 }, (_, n) =>
    databases.withCluster(testId("website", n % 8), to(server.port, `d${n % 8}`), (opened) => opened.readMarker()),
  );
  expect(await Promise.all(works)).toEqual(works.map(() => null));
});

test("databases that were found dead leave most clients to the others", async () => {
  let now = 0;
  let opened = 0;
  const clusters = closing(
    createClusters({
      // A host that never answers.
      open: () => {
        opened += 1;
        return new Promise((_, reject) => setTimeout(() => reject(new Error("No answer")), 50));
      },
      contentOn: () => expect.fail(),
      schema: { version: 1, bringUpToDate: async () => {} },
      most: 20,
      idleMillis: 60_000,
      inFlight: 10,
      patienceMillis: 3_000,
      now: () => now,
    }),
  );
  const askAll = async () => {
    opened = 0;
    const asked = Array.from({ length: 20 }, (_, n) => clusters.withCluster(testId("website", n), to(1), async () => {}));
    const codes = (await Promise.allSettled(asked)).map((result) => result.status === "rejected" && (result.reason as Failure).code);
    expect(new Set(codes)).toEqual(new Set(["CONTENT_STORE_UNAVAILABLE"]));
    return opened;
  };
  expect(await askAll()).toBe(20);
  now += 999;
  expect(await askAll()).toBe(0);
  now += 1;
  expect(await askAll()).toBe(5);
  // Those that had no chance have not waited in vain: their turn is next.
  expect(await askAll()).toBe(5);
});

test("who was in line when a database was found dead is refused with the others", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: { ...QUICK, inFlight: 2 } });
  const found = Promise.withResolvers<never>();
  let entered = 0;
  const works = Array.from({ length: 8 }, () =>
    databases.withCluster(website, to(server.port), () => {
      entered += 1;
      return found.promise;
    }),
  );
  const results = Promise.allSettled(works);
  await expect.poll(() => entered).toBe(2);
  found.reject(fail("CONTENT_STORE_UNAVAILABLE", "It does not answer."));
  expect((await results).every(({ status }) => status === "rejected")).toBe(true);
  expect(entered).toBe(2);
});

test("a database that is silent on a request is given up in time, and one that nobody asks is closed", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: { ...QUICK, answerMillis: 300, idleMillis: 300 } });
  const read = () => databases.withCluster(website, to(server.port), (opened) => opened.readMarker());
  expect(await read()).toBeNull();
  expect(server.open).toBeGreaterThan(0);
  await expect.poll(() => [databases.health(website).state, server.open], { timeout: 10_000 }).toEqual(["closed", 0]);
  server.script = { ...HEALTHY, find: undefined };
  await expect(read()).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
  expect(databases.health(website).state).toBe("down");
});

test("the limits are those that docs/own-database.md tells", async () => {
  const docs = await readFile(new URL("../../../../docs/own-database.md", import.meta.url), "utf8");
  const table = /## Limits\n([\s\S]*?)\n## /.exec(docs)![1]!;
  for (const told of [
    `| ${readConfig({}).ownDatabasesOpen} |`,
    `| ${LIMITS.idleMillis / 1_000} s |`,
    `| ${LIMITS.selectionMillis / 1_000} s |`,
    `| ${LIMITS.answerMillis / 1_000} s |`,
    `| ${LIMITS.inFlight} |`,
    `| ${FIRST_MILLIS / 1_000} to ${LONGEST_MILLIS / 1_000} s |`,
  ])
    expect(table).toContain(told);
});

test("a client whose website has another address now is closed after its last user", async () => {
  const [before, after] = [await cluster({ script: HEALTHY }), await cluster({ script: HEALTHY })];
  const databases = databasesWith({ limits: QUICK });
  await databases.withCluster(website, to(before.port), async (old) => {
    await databases.withCluster(website, to(after.port), (opened) => opened.readMarker());
    expect(await old.readMarker()).toBeNull();
  });
  expect(after.connections).toBeGreaterThan(0);
  await expect.poll(() => before.open).toBe(0);
});

test("ten works of a website run at a time, and a line that is too long is refused", async () => {
  const server = await cluster({ script: HEALTHY });
  const databases = databasesWith({ limits: { ...QUICK, inFlight: 2 } });
  const release = Promise.withResolvers<void>();
  let running = 0;
  const works = Array.from({ length: 13 }, () =>
    databases.withCluster(website, to(server.port), async () => {
      running += 1;
      await release.promise;
    }),
  );
  const results = Promise.allSettled(works);
  await expect.poll(() => running).toBe(2);
  release.resolve();
  const refusals = (await results).filter(({ status }) => status === "rejected");
  expect(refusals).toHaveLength(1);
});

for (const part of [ferretdb, mongoJavaServer]) {
  withPart(part.name, part.find(), (server) => {
    test("a real server behind TLS passes the test, keeps a marker and content, and is found again after it was away", async () => {
      const started = await server.start();
      closers.push(started.stop);
      const { key, certificate } = await makeCertificate("db.test");
      const proxy = closing(await openTlsProxy(started.url, { key, cert: certificate }));
      const databases = databasesWith({ limits: { selectionMillis: 1_000 } });
      const connection = { url: `mongodb://db.test:${proxy.port}/${testDatabaseName()}?tls=true`, ca: certificate };
      expect(await databases.test(connection, ours, false)).toEqual({
        passed: true,
        serverVersion: expect.any(String),
        latencyMillis: expect.any(Number),
        readOnly: null,
      });
      const run: OwnDatabases["withCluster"] = (id, reached, work) => databases.withCluster(id, reached, work);
      const post = buildPost(1, { websiteId: website });
      await run(website, connection, async (opened) => {
        expect(await opened.readMarker()).toBeNull();
        await opened.bringUpToDate(null);
        await opened.writeMarker(ours);
        await opened.content.posts.insert(post, { visible: false });
      });
      expect(await run(website, connection, (opened) => opened.readMarker())).toEqual(ours);
      expect(await databases.test(connection, { ...ours, installId: "other" }, false)).toMatchObject({ step: "marker" });
      proxy.cut();
      await expect(run(website, connection, (opened) => opened.content.posts.get(website, post.id))).rejects.toMatchObject({
        code: "CONTENT_STORE_UNAVAILABLE",
      });
      proxy.restore();
      const again = () =>
        run(website, connection, (opened) => opened.content.posts.get(website, post.id)).then(
          (found) => found?.id,
          () => null,
        );
      await expect.poll(again, { timeout: 15_000, interval: 200 }).toBe(post.id);
    }, 30_000);
  });
}
