import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError, type Environment, readConfig } from "./config.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-config-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test("nothing is required: an empty environment is a local install", () => {
  expect(readConfig({})).toMatchObject({
    port: 4000,
    host: "127.0.0.1",
    publicUrl: "http://127.0.0.1:4000",
    dataFolder: path.resolve("data"),
    databaseUrl: null,
    secrets: null,
    signups: "invited",
    defaultPlan: "free",
    firstPlan: "unlimited",
    planChanges: "owner",
    privateTargets: [],
    trustedProxies: [],
    logLevel: "info",
  });
});

test("/metrics answers only where nobody else can reach it, unless it is said", () => {
  expect(readConfig({}).metrics).toBe(true);
  expect(readConfig({ HOST: "::1" }).metrics).toBe(true);
  expect(readConfig({ STET_METRICS: "off" }).metrics).toBe(false);
  // A proxy on this machine makes it public as well.
  expect(readConfig({ PUBLIC_URL: "https://blog.example.com" }).metrics).toBe(false);
  const open = { HOST: "0.0.0.0", PUBLIC_URL: "https://blog.example.com" };
  expect(readConfig(open).metrics).toBe(false);
  expect(readConfig({ ...open, STET_METRICS: "on" }).metrics).toBe(true);
  expect(problemsOf({ STET_METRICS: "yes" })).toEqual(["STET_METRICS must be on or off."]);
});

test("settings of a PostgreSQL of one's own that do not fit together are named", () => {
  const url = "postgres://stet@host/stet";
  expect(readConfig({ DATABASE_URL: url, DATABASE_POOLER: "transaction", DATABASE_DIRECT_URL: url })).toMatchObject({
    databasePooled: true,
  });
  expect(problemsOf({ DATABASE_POOLER: "transaction" })).toEqual([expect.stringMatching(/^DATABASE_POOLER is about/)]);
  expect(problemsOf({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toEqual([expect.stringMatching(/^DATABASE_DIRECT_URL leads past/)]);
  expect(problemsOf({ DATABASE_READ_URL: url })).toEqual([expect.stringMatching(/^DATABASE_READ_URL is a replica/)]);
  const elsewhere = { DATABASE_URL: url, DATABASE_READ_URL: url, CONTENT_URL: "mongodb://host/stet" };
  expect(problemsOf(elsewhere)).toEqual([expect.stringMatching(/^DATABASE_READ_URL is a replica/)]);
});

test("an empty value is the same as none", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " " })).toEqual(readConfig({}));
});

test("every problem is listed at once, by the setting's name", () => {
  const problems = problemsOf({
    PORT: "70000",
    HOST: "not a host",
    PUBLIC_URL: "blog.example.com",
    DATABASE_URL: "mysql://host/db",
    CONTENT_URL: "postgres://host/db",
    REDIS_URL: "host:6379",
    MEDIA_URL: "/var/media",
    SMTP_URL: "mail.example.com",
    STET_SECRET: "short",
    STET_PLANS: path.join(folder, "missing.json"),
    STET_SIGNUPS: "yes",
    STET_DEFAULT_PLAN: "gold",
    STET_PLAN_CHANGES: "nobody",
    STET_ALLOW_PRIVATE_TARGETS: "10.0.0.0/99",
    STET_OWN_DATABASES_OPEN: "49",
    STET_TRUST_PROXY: "proxy",
    STET_LOG: "loud",
  });
  const named = problems.map((problem) => /^[A-Z_]+/.exec(problem)?.[0]);
  expect(named.toSorted()).toEqual(
    [
      "CONTENT_URL",
      "DATABASE_URL",
      "HOST",
      "MEDIA_URL",
      "PORT",
      "PUBLIC_URL",
      "REDIS_URL",
      "SMTP_URL",
      "STET_ALLOW_PRIVATE_TARGETS",
      "STET_DEFAULT_PLAN",
      "STET_LOG",
      "STET_OWN_DATABASES_OPEN",
      "STET_PLANS",
      "STET_PLAN_CHANGES",
      "STET_SECRET",
      "STET_SIGNUPS",
      "STET_TRUST_PROXY",
    ].toSorted(),
  );
});

test("a misspelt setting is refused instead of ignored", () => {
  expect(problemsOf({ STET_SECRETS: "x", STET_TEST_POSTGRES: "x", STET_KEY: "stet_x", STET_URL: "x" })).toEqual([
    "STET_SECRETS is not a setting. docs/settings.md lists them all.",
  ]);
});

test("what holds a secret can stand in a file, and a file that cannot be read is named without its words", async () => {
  const file = path.join(folder, "secret");
  await writeFile(file, `${"s".repeat(40)}\n`);
  expect(readConfig({ STET_SECRET_FILE: file }).secrets).toEqual(["s".repeat(40)]);
  expect(readConfig({ STET_SECRET_FILE: " ", STET_SECRET: "t".repeat(40) }).secrets).toEqual(["t".repeat(40)]);
  expect(problemsOf({ STET_SECRET_FILE: file, STET_SECRET: "t".repeat(40) })).toEqual([
    "STET_SECRET and STET_SECRET_FILE are both set. Leave one out.",
  ]);
  expect(problemsOf({ DATABASE_URL_FILE: file })).toEqual([expect.not.stringContaining("sss")]);
  expect(problemsOf({ SMTP_URL_FILE: path.join(folder, "none"), STET_DATA_FILE: file })).toEqual([
    `SMTP_URL_FILE names ${path.join(folder, "none")}, which cannot be read.`,
    "STET_DATA_FILE is not a setting. docs/settings.md lists them all.",
  ]);
});

test("a message never quotes a secret", () => {
  expect(problemsOf({ STET_SECRET: "hunter2" }).join()).not.toContain("hunter2");
});

describe("the public address", () => {
  test.each(["0.0.0.0", "::", "192.168.1.10", "blog.internal"])("HOST=%s without PUBLIC_URL is refused", (host) => {
    expect(problemsOf({ HOST: host })).toEqual([expect.stringContaining("PUBLIC_URL is not set")]);
    expect(problemsOf({ HOST: host, PUBLIC_URL: "https://blog.example.com" })).toEqual([]);
  });

  test.each(["127.0.0.1", "127.8.0.1", "::1", "localhost"])("HOST=%s needs no PUBLIC_URL", (host) => {
    expect(problemsOf({ HOST: host })).toEqual([]);
  });

  test("an address of version 6 stands in brackets", () => {
    expect(readConfig({ HOST: "::1", PORT: "80" }).publicUrl).toBe("http://[::1]:80");
  });

  test("a slash at the end is dropped; a path, credentials or another scheme are refused", () => {
    expect(readConfig({ PUBLIC_URL: "https://blog.example.com/" }).publicUrl).toBe("https://blog.example.com");
    for (const wrong of ["https://example.com/blog", "https://a:b@example.com", "ftp://example.com", "https://example.com/?a=1"]) {
      expect(problemsOf({ PUBLIC_URL: wrong })).toHaveLength(1);
    }
  });
});

test("several secrets are kept in order, the current one first, and each must be long", () => {
  const [current, old] = ["n".repeat(32), "o".repeat(40)];
  expect(readConfig({ STET_SECRET: `${current}, ${old}` }).secrets).toEqual([current, old]);
  expect(problemsOf({ STET_SECRET: `${current},short` })).toHaveLength(1);
});

test("networks are true, false or a list", () => {
  expect(readConfig({ STET_ALLOW_PRIVATE_TARGETS: "true" }).privateTargets).toBe(true);
  expect(readConfig({ STET_ALLOW_PRIVATE_TARGETS: "false" }).privateTargets).toEqual([]);
  expect(readConfig({ STET_TRUST_PROXY: "10.0.0.0/8, fd00::/8,127.0.0.1" }).trustedProxies).toEqual([
    "10.0.0.0/8",
    "fd00::/8",
    "127.0.0.1",
  ]);
});

test("limits of the disk are megabytes, none unless chosen, and a warning comes first", () => {
  expect(readConfig({}).diskLimits).toEqual({});
  const MB = 1024 * 1024;
  const chosen = { STET_DISK_WARN_MB: "5000", STET_DISK_LARGE_MB: "1000", STET_DISK_STOP_MB: "0" };
  expect(readConfig(chosen).diskLimits).toEqual({ low: 5000 * MB, tight: 1000 * MB, full: 0 });
  expect(problemsOf({ STET_DISK_WARN_MB: "100", STET_DISK_STOP_MB: "200" })).toEqual([expect.stringContaining("must not rise")]);
  expect(problemsOf({ STET_DISK_STOP_MB: "1 GB" })).toEqual([expect.stringMatching(/^STET_DISK_STOP_MB must be a number of megabytes/)]);
});

test("STET_DEFAULT_PLAN is for hosts: it names the plan of every new workspace, the first one too, and never unlimited", () => {
  expect(readConfig({ STET_DEFAULT_PLAN: "starter" })).toMatchObject({ defaultPlan: "starter", firstPlan: "starter" });
  expect(problemsOf({ STET_DEFAULT_PLAN: "unlimited" })).toEqual(["STET_DEFAULT_PLAN must be free, starter or team."]);
});

describe("STET_PLANS", () => {
  async function plansFile(content: string): Promise<string> {
    const file = path.join(folder, "plans.json");
    await writeFile(file, content);
    return file;
  }

  test("overrides the numbers it names and leaves the others", async () => {
    const { plans } = readConfig({ STET_PLANS: await plansFile('{"team":{"websites":1000,"liveKeys":null}}') });
    expect(plans.team).toMatchObject({ websites: 1000, liveKeys: null, requestsPerMonth: 500_000 });
    expect(plans.free).toEqual(readConfig({}).plans.free);
  });

  test.each(["{", '{"gold":{}}', '{"free":{"website":1}}', '{"free":{"websites":-1}}'])("%s is refused", async (content) => {
    expect(problemsOf({ STET_PLANS: await plansFile(content) })).toEqual([expect.stringMatching(/^STET_PLANS/)]);
  });
});
