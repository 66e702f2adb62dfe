import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import { createKeyring } from "#adapters/keyring/keyring";
import { openPostgresPlatform } from "#adapters/postgres/platform/platform";
import { makeApiKey, maskApiKey } from "#domain/api-key";
import { closedAtEnd } from "#test/closed-at-end";
import { everyRow } from "#test/every-row";
import { aKey, aMember, anInvitation, aWebsite, aWorkspace } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";

const database = closedAtEnd(await openTestDatabase());

test("after a key, an invitation and an account were made, the database holds none of their secrets", async () => {
  const secret = randomBytes(32).toString("hex");
  const keyring = createKeyring([secret]);
  const platform = openPostgresPlatform(database);
  const accounts = openAccounts({
    pool: database.pool,
    secret: keyring.mac("session", "cookies").hash,
    baseUrl: "http://localhost:4000",
    signups: false,
  });
  const password = `passphrase ${randomBytes(9).toString("hex")}`;
  const apiKey = makeApiKey();
  const token = randomBytes(24).toString("base64url");

  const account = await accounts.create({ email: "ada@example.com", name: "Ada", password });
  const workspace = aWorkspace();
  await platform.workspaces.create(workspace, aMember(workspace.id, { userId: account!.id }));
  const website = aWebsite(workspace.id);
  await platform.websites.create(website);
  const { hash, secretId } = keyring.mac("api-key", apiKey);
  await platform.keys.create(aKey(website.id, { hash, secretId, masked: maskApiKey(apiKey) }));
  await platform.invitations.create(anInvitation(workspace.id), keyring.mac("invitation", token).hash);

  const dump = await everyRow(database);
  // The dump is what it claims to be: these are in it.
  for (const present of ["ada@example.com", hash, website.id, maskApiKey(apiKey)]) expect(dump).toContain(present);
  const secrets = { secret, password, apiKey, token, cookies: keyring.mac("session", "cookies").hash };
  for (const [name, value] of Object.entries(secrets)) {
    for (const form of [value, Buffer.from(value).toString("hex"), Buffer.from(value).toString("base64")]) {
      expect(dump.includes(form), `${name} is in the database`).toBe(false);
    }
  }
  // Most of the key, without its prefix or its end, would be as good as all of it.
  expect(dump).not.toContain(apiKey.slice(5, 20));

  const found = await platform.keys.findByHash(createKeyring(["rotated in", secret]).macs("api-key", apiKey)[1]!.hash);
  expect(found?.websiteId).toBe(website.id);
});
