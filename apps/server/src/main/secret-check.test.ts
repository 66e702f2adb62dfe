import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import { createKeyring } from "#adapters/keyring/keyring";
import type { Database } from "#adapters/postgres/database";
import { userActor } from "#domain/actor";
import { createKey } from "#operations/keys/create-key";
import { execute } from "#operations/kernel/execute";
import { createWebhook } from "#operations/webhooks/create-webhook";
import { createWebsite } from "#operations/websites/create-website";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { openTestDatabase } from "#test/postgres";
import { secretReplace } from "./commands/secret-replace.ts";
import { type Installation, openInstallation } from "./compose.ts";
import { readConfig } from "./config.ts";
import { checkDatabase } from "./doctor/database.ts";
import { createLog } from "./log.ts";
import { secretFile } from "./secret.ts";
import { authSecrets } from "./secret-check.ts";

const [OLD, NEW, OTHER] = ["old", "new", "other"].map((name) => name.padEnd(32, "-")) as [string, string, string];

let base: string;
let database: Database & { url: string };
let folders = 0;
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), "stet-secret-check-"));
});
afterAll(() => rm(base, { recursive: true, force: true }));
beforeEach(async () => {
  database = await openTestDatabase();
  return () => database.close();
});

const aFolder = (): string => path.join(base, String(++folders));
const configOf = (secrets: string | null, folder = aFolder()) =>
  readConfig({ STET_DATA: folder, DATABASE_URL: database.url, ...(secrets !== null && { STET_SECRET: secrets }) });
const open = (secrets: string | null, folder = aFolder()): Promise<Installation> =>
  openInstallation(configOf(secrets, folder), createLog("silent"), { role: "command", report: () => {} });
const start = async (secrets: string | null, folder = aFolder()): Promise<void> => (await open(secrets, folder)).close();
const saidBy = (started: Promise<unknown>): Promise<string> =>
  started.then(
    () => "It started.",
    (error: Error) => error.message,
  );
const doctorSays = async (secrets: string | null, folder = aFolder()): Promise<string> =>
  (await checkDatabase(configOf(secrets, folder))).map(({ verdict, message }) => `${verdict}: ${message}`).join("\n");
const everything = async (): Promise<string> => {
  const { rows } = await database.query<{ row: string }>({
    text: `SELECT id || canary || chosen_at AS row FROM server_secrets UNION ALL SELECT id || hash || secret_id FROM api_keys
           UNION ALL SELECT name FROM stet_migrations ORDER BY 1`,
  });
  return JSON.stringify(rows);
};

/** A website with a key; and, with `more`, an endpoint. */
async function furnish({ services }: Installation, more: { webhook: boolean }): Promise<string> {
  const account = await services.accounts.create({ email: "ada@example.com", name: "Ada", password: "correct horse battery" });
  const actor = userActor(account!.id);
  const { id: workspaceId } = await execute(services, createWorkspace, actor, { name: "Acme" });
  const { id: websiteId } = await execute(services, createWebsite, actor, { workspaceId, name: "Blog" });
  if (more.webhook)
    await execute(services, createWebhook, actor, { websiteId, url: "https://example.com/hook", events: ["post.published"] });
  return (await execute(services, createKey, actor, { websiteId, name: "Site" })).key;
}

async function furnished(secrets: string | null, folder = aFolder(), more = { webhook: false }): Promise<string> {
  const installation = await open(secrets, folder);
  const key = await furnish(installation, more);
  await installation.close();
  return key;
}

describe("a wrong or missing secret", () => {
  test("another secret starts nothing, changes nothing, and is told what to do", async () => {
    await furnished(OLD);
    const before = await everything();
    const said = await saidBy(start(OTHER));
    expect(said).toContain("STET_SECRET is not the secret that this database was used with");
    expect(said).toContain("nothing was changed");
    expect(said).toContain("Set STET_SECRET to the right one");
    expect(said).not.toContain(OTHER);
    expect(await everything()).toBe(before);
    await start(OLD);
  });

  test("a data folder that was lost makes no new secret: the file is to be restored", async () => {
    const folder = aFolder();
    await furnished(null, folder);
    const secret = await readFile(secretFile(folder), "utf8");
    const lost = aFolder();
    const said = await saidBy(start(null, lost));
    expect(said).toContain(`there is no file ${secretFile(lost)}`);
    expect(said).toContain("Restore that file from a backup");
    await expect(readFile(secretFile(lost))).rejects.toThrow("ENOENT");
    await mkdir(lost);
    await writeFile(secretFile(lost), secret);
    await start(null, lost);
  });

  test("it counts from the first start, before there is any key", async () => {
    await start(OLD);
    expect(await saidBy(start(OTHER))).toContain("is not the secret");
    expect(await saidBy(start(null))).toContain("there is no file");
  });

  test("of nodes that start at once on an empty database with secrets of their own, those of one secret run", async () => {
    const shared = aFolder();
    const given = [null, null, null, OLD, NEW, OTHER];
    const said = await Promise.all(given.map((secrets, i) => saidBy(start(secrets, i < 2 ? shared : aFolder()))));
    const ran = said.map((each) => each === "It started.");
    const { rows } = await database.query<{ id: string }>({ text: "SELECT id FROM server_secrets" });
    expect(rows).toHaveLength(1);
    // The two that share a folder share its secret.
    expect(ran[0]).toBe(ran[1]);
    expect(ran.filter(Boolean)).toHaveLength(ran[0] ? 2 : 1);
  });

  test("the doctor says it, and changes nothing", async () => {
    await furnished(OLD);
    const before = await everything();
    expect(await doctorSays(OTHER)).toContain("problem: Secret: STET_SECRET is not the secret");
    expect(await doctorSays(null)).toContain("problem: Secret: The secret is missing");
    expect(await doctorSays(OLD)).toContain("good: Secret: it is the one this database is used with.");
    expect(await everything()).toBe(before);
    await database.query({ text: "UPDATE api_keys SET secret_id = 'another'" });
    expect(await doctorSays(OLD)).toContain("warning: Secret: a secret that is no longer given made 1 project key");
  });
});

describe("a secret that is lost for good", () => {
  /** The command, with the settings of this database. */
  async function replace(secrets: string, ...args: string[]): Promise<number> {
    const settings = { STET_DATA: aFolder(), DATABASE_URL: database.url, STET_SECRET: secrets };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    return secretReplace(args).finally(() => vi.unstubAllEnvs());
  }

  test("is replaced only when asked twice, and what it made is given up", async () => {
    const key = await furnished(OLD, aFolder(), { webhook: true });
    const { rows: people } = await database.query<{ id: string }>({ text: `SELECT id FROM "user"` });
    await database.query({
      text: `INSERT INTO "twoFactor" (id, secret, "backupCodes", "userId") VALUES ('1', $1, $1, $2)`,
      values: [await symmetricEncrypt({ key: "lost", data: "text" }), people[0]!.id],
    });
    await database.query({ text: `UPDATE "user" SET "twoFactorEnabled" = true` });
    const before = await everything();
    expect(await replace(NEW)).toBe(1);
    expect(await everything()).toBe(before);
    expect(await saidBy(start(NEW))).toContain("is not the secret");

    expect(await replace(NEW, "--yes")).toBe(0);
    const installation = await open(NEW);
    const state = await database.query({
      text: `SELECT (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS keys, (SELECT status FROM webhooks) AS webhook,
                    (SELECT count(*) FROM "twoFactor") AS factors, (SELECT "twoFactorEnabled" FROM "user") AS asked`,
    });
    expect(state.rows).toEqual([{ keys: 0, webhook: "paused", factors: 0, asked: false }]);
    const { hash } = installation.services.keyring.mac("api-key", key);
    expect(await installation.services.platform.keys.findByHash(hash)).toBeNull();
    await installation.close();
    expect(await saidBy(start(OLD))).toContain("is not the secret");
    expect(await replace(NEW, "--yes")).toBe(0);
  });
});

describe("an installation from before there were canaries", () => {
  /** As the version before left it. */
  const forgetCanaries = () => database.query({ text: "DELETE FROM server_secrets" });

  test("takes the secret that its keys were made with, and no other", async () => {
    await furnished(OLD);
    await forgetCanaries();
    expect(await saidBy(start(OTHER))).toContain("is not the secret");
    expect(await saidBy(start(null))).toContain("there is no file");
    await start(OLD);
    expect(await saidBy(start(OTHER))).toContain("is not the secret");
  });

  test("is not migrated before its secret is known to be right", async () => {
    await furnished(OLD, aFolder(), { webhook: true });
    await database.query({ text: "DROP TABLE server_secrets; DELETE FROM stet_migrations WHERE name LIKE '0235%'" });
    await database.query({ text: `ALTER TABLE invitations DROP COLUMN secret_id; ALTER TABLE "twoFactor" DROP COLUMN "lastStep"` });
    expect(await saidBy(start(OTHER))).toContain("is not the secret");
    const { rows } = await database.query({ text: "SELECT name FROM stet_migrations WHERE name LIKE '0235%'" });
    expect(rows).toEqual([]);
    await start(OLD);
  });

  test("is recognised by a second factor alone, whichever of the secrets sealed it", async () => {
    const { services, close } = await open(OLD);
    const account = await services.accounts.create({ email: "ada@example.com", name: "Ada", password: "correct horse battery" });
    const { secret } = authSecrets(createKeyring([OLD]));
    // Without a version beside it, as the library wrote it then.
    const sealed = await symmetricEncrypt({ key: secret, data: "text" });
    await database.query({
      text: `INSERT INTO "twoFactor" (id, secret, "backupCodes", "userId") VALUES ('1', $1, $1, $2)`,
      values: [sealed, account!.id],
    });
    await close();
    await forgetCanaries();
    expect(await saidBy(start(NEW))).toContain("is not the secret");
    await start(`${NEW},${OLD}`);
    const { rows } = await database.query<{ secret: string }>({ text: `SELECT secret FROM "twoFactor"` });
    const { auth } = openAccounts({
      ...authSecrets(createKeyring([NEW, OLD])),
      pool: database.pool,
      baseUrl: "http://localhost",
      signups: false,
    });
    const { secretConfig } = await auth.$context;
    expect(await symmetricDecrypt({ key: secretConfig, data: rows[0]!.secret })).toBe("text");
  });

  test("that holds nothing made with a secret takes the one it is given", async () => {
    await start(OLD);
    await forgetCanaries();
    await start(NEW);
    expect(await saidBy(start(OLD))).toContain("is not the secret");
  });
});
