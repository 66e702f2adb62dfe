import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { checkDatabase } from "#main/doctor/database";
import { createLog } from "#main/log";
import { withPart } from "#test/parts";
import { contentSuiteOn } from "./content-suite.ts";
import { debianPostgres } from "./programs.ts";
import { makeOwnedDatabase } from "./role.ts";
import { startPostgres, type TestPostgres } from "./servers.ts";

withPart(debianPostgres.name, debianPostgres.find(), (bin) => {
  let server: TestPostgres;
  let folder: string;
  let role: string;
  let url: string;
  const configOf = (settings: Record<string, string> = {}) =>
    readConfig({
      DATABASE_URL: url,
      STET_DATA: folder,
      STET_SECRET: "a secret that is long enough for it",
      STET_LOG: "silent",
      ...settings,
    });
  const start = async () => {
    const said: string[] = [];
    const installation = await openInstallation(configOf(), createLog("silent"), { role: "service", report: (line) => said.push(line) });
    await Promise.all(installation.checks.map(({ run }) => run()));
    await installation.close();
    return said;
  };

  beforeAll(async () => {
    server = await startPostgres(bin);
    folder = await mkdtemp(path.join(tmpdir(), "stet-role-"));
    ({ role, url } = await makeOwnedDatabase(server));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("a role that owns its database and has no other right: the first start, the second, and doctor finds nothing wrong", async () => {
    expect(
      (
        await server.ask(`SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication AS may FROM pg_roles WHERE rolname = '${role}'`)
      )[0],
    ).toEqual({
      may: false,
    });
    expect(await start()).toEqual(["Prepared the database.", expect.stringMatching(/^Using PostgreSQL \d+/)]);
    expect(await start()).toEqual([expect.stringMatching(/^Using PostgreSQL \d+/)]);
    const findings = await checkDatabase(configOf());
    expect(findings.filter(({ verdict }) => verdict !== "good")).toEqual([]);
    expect(findings.map(({ message }) => message.split(":")[0])).toEqual(
      expect.arrayContaining(["Database rights", "Schema", "Clock", "Secret"]),
    );
  });

  test("doctor tells each fault by its name", async () => {
    const problems = async (settings: Record<string, string>) =>
      (await checkDatabase(configOf(settings))).filter(({ verdict }) => verdict === "problem").map(({ message }) => message);
    expect(await problems({ STET_SECRET: "another secret that is just as long" })).toEqual([expect.stringMatching(/^Secret: /)]);
    expect(await problems({ DATABASE_URL: url.replace(/:\d+\//, ":1/") })).toEqual([
      expect.stringMatching(/ECONNREFUSED.*Check the address/),
    ]);
    // Extensions that only the superuser of a managed server can make.
    await server.ask(`DROP ROLE IF EXISTS limited`, `CREATE ROLE limited LOGIN`, `CREATE DATABASE limited`);
    const limited = url.replace(/\/\/.*@/, "//limited@").replace(/\/[^/]*$/, "/limited");
    expect(await problems({ DATABASE_URL: limited })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Database rights: the role limited cannot create tables .*GRANT USAGE, CREATE/)]),
    );
  });

  contentSuiteOn("of Debian, as a role without other rights", async () => openDatabase({ url }));
});
