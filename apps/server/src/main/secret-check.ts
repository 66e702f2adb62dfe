import { rm } from "node:fs/promises";
import { type AuthSecrets, countSecondFactors, nameVersions } from "#adapters/accounts/auth-secrets";
import { createKeyring } from "#adapters/keyring/keyring";
import type { Database, Queryable } from "#adapters/postgres/database";
import {
  addCanary,
  type Canary,
  dropCanaries,
  lockCanaries,
  readCanaries,
  countSecretUses,
  secretIdsInUse,
  type SecretUse,
} from "#adapters/postgres/server-secrets";
import type { Keyring } from "#ports/keyring";
import type { Config } from "./config.ts";
import { makeSecret, secretFile } from "./secret.ts";

/** Things of one kind that a secret is needed for. */
export interface SecretNeed {
  readonly what: SecretUse["what"] | "second factor";
  readonly count: number;
}

/** Whether the secrets that were given are those of this database. */
export type Verdict =
  /** `add`: the ids of secrets that get a canary; `drop`: of those that are no longer given, and no longer needed. */
  | { readonly kind: "right"; readonly add: readonly string[]; readonly drop: readonly string[] }
  | { readonly kind: "missing" }
  | { readonly kind: "wrong" }
  /** Some are right; the one that made these things is not among them. */
  | { readonly kind: "needed"; readonly needed: readonly SecretNeed[] };

const PLACE = "server_secrets";
const TEXT = "Only the secret of this database opens this.";

/** The auth library's keys follow from the server secrets. */
export function authSecrets(keyring: Keyring): AuthSecrets {
  const [secret, ...olderSecrets] = keyring.macs("session", "better-auth").map(({ hash }) => hash);
  return { secret: secret!, olderSecrets };
}

/** In the order in which they were given. */
export const secretIds = (keyring: Keyring): readonly string[] => keyring.macs("setup", "id").map(({ secretId }) => secretId);

/** Looks, and changes nothing. Works on a schema of any version. */
export async function judgeSecrets(
  database: Database,
  secrets: readonly string[] | null,
  connection: Queryable = database,
): Promise<Verdict> {
  const canaries = await readCanaries(connection);
  if (canaries.length === 0) return judgeByWhatWasMade(database, secrets, connection);
  if (secrets === null) return { kind: "missing" };
  const keyring = createKeyring(secrets);
  const ids = secretIds(keyring);
  const lost = canaries.filter(({ canary }) => keyring.open("canary", PLACE, canary) !== TEXT);
  if (lost.length === canaries.length) return { kind: "wrong" };
  const needed = lost.length > 0 ? await needsOfOtherSecrets(database, keyring, ids) : [];
  if (needed.length > 0) return { kind: "needed", needed };
  return { kind: "right", add: canaries.some(({ id }) => id === ids[0]) ? [] : ids.slice(0, 1), drop: lost.map(({ id }) => id) };
}

/** Before the first start, or as an older version left it: right is the secret that something here was made with. */
async function judgeByWhatWasMade(database: Database, secrets: readonly string[] | null, connection: Queryable): Promise<Verdict> {
  const made = await secretIdsInUse(connection);
  const keyring = secrets && createKeyring(secrets);
  const ids = keyring ? secretIds(keyring) : [];
  const { opened, lost } = await countSecondFactors(database.pool, keyring ? authSecrets(keyring) : { secret: "none" });
  const proven = ids.filter((id, index) => made.has(id) || opened[index]! > 0);
  if (proven.length === 0 && made.size + lost > 0) return { kind: secrets === null ? "missing" : "wrong" };
  return { kind: "right", add: [...new Set([...ids.slice(0, 1), ...proven])], drop: [] };
}

/** The things still in use that were made with another secret than these. */
export async function needsOfOtherSecrets(database: Database, keyring: Keyring, ids: readonly string[]): Promise<readonly SecretNeed[]> {
  const all = authSecrets(keyring);
  const { opened, lost } = await countSecondFactors(database.pool, all);
  const others = opened.reduce((sum, count, index) => (ids.includes(secretIds(keyring)[index]!) ? sum : sum + count), lost);
  const byKind = new Map<SecretNeed["what"], number>();
  for (const { what, secretId, count } of await countSecretUses(database)) {
    // Links from before the secret was written beside them end within days.
    if (secretId !== null && !ids.includes(secretId)) byKind.set(what, (byKind.get(what) ?? 0) + count);
  }
  if (others > 0) byKind.set("second factor", others);
  return [...byKind].map(([what, count]) => ({ what, count }));
}

/**
 * Before anything is changed: throws, in words, unless the secrets that were given are right. On an empty database none is
 * needed yet.
 */
export async function requireRightSecrets(database: Database, secrets: readonly string[] | null, config: SecretConfig): Promise<void> {
  const verdict = await judgeSecrets(database, secrets);
  if (verdict.kind !== "right") throw new Error(describeVerdict(verdict, config));
}

/**
 * Writes down which secrets this database is used with, and makes one where there is none. Of nodes that start at once with
 * secrets of their own, one wins; the others end as `requireRightSecrets` would have ended them.
 */
export async function recordSecrets(database: Database, given: readonly string[] | null, config: SecretConfig): Promise<readonly string[]> {
  const made = given === null ? await makeSecret(config) : null;
  const secrets = given ?? [made!.secret];
  const keyring = createKeyring(secrets);
  await database.transaction(async (connection) => {
    await lockCanaries(connection);
    const verdict = await judgeSecrets(database, secrets, connection);
    if (verdict.kind !== "right") {
      // Another node was first. Nothing was made with this secret, and nodes that share the folder are refused like this one.
      if (made?.isNew) await rm(secretFile(config.dataFolder), { force: true });
      throw new Error(describeVerdict(made ? { kind: "missing" } : verdict, config));
    }
    for (const id of verdict.add) await addCanary(connection, canaryOf(secrets[secretIds(keyring).indexOf(id)]!));
    await dropCanaries(connection, verdict.drop);
  });
  if (secrets.length > 1) await nameVersions(database.pool, authSecrets(keyring));
  return secrets;
}

function canaryOf(secret: string): Canary {
  const keyring = createKeyring([secret]);
  return { id: secretIds(keyring)[0]!, canary: keyring.seal("canary", PLACE, TEXT) };
}

type SecretConfig = Pick<Config, "secrets" | "dataFolder">;

/** Says what is wrong and what to do, at the start and for the doctor. */
export function describeVerdict(verdict: Exclude<Verdict, { kind: "right" }>, { secrets, dataFolder }: SecretConfig): string {
  const file = secretFile(dataFolder);
  if (verdict.kind === "needed") {
    return (
      `The secret before this one was removed too early: ${describeNeeds(verdict.needed)} can be read with it alone. Nothing was started, and nothing was changed. ` +
      "Put it back behind the new one (STET_SECRET=new,old), run `stet secret reseal`, and remove it when `stet doctor` says so."
    );
  }
  const what =
    verdict.kind === "missing"
      ? `The secret is missing: this database is in use, STET_SECRET is not set, and there is no file ${file}.`
      : `${secrets ? "STET_SECRET" : `The secret in ${file}`} is not the secret that this database was used with.`;
  const restore = secrets
    ? "Set STET_SECRET to the right one: it is where this install was first set up, and the same on every machine."
    : `Restore that file from a backup of the data folder, or set STET_SECRET to the secret that the other machines have.`;
  return (
    `${what} With another secret every project key would be refused, no webhook could be signed, and nobody could sign in with a second factor: ` +
    `nothing was started, and nothing was changed. ${restore} If it is lost, \`stet secret replace\` says what a new one costs.`
  );
}

const PLURALS: Readonly<Record<SecretNeed["what"], string>> = {
  "project key": "project keys",
  webhook: "webhooks",
  "image storage": "image storages",
  "content database": "content databases",
  "connection record": "records of connected tools",
  invitation: "open invitations",
  "second factor": "second factors",
};

/** Such as "2 project keys and 1 webhook". */
export function describeNeeds(needed: readonly SecretNeed[]): string {
  const parts = needed.map(({ what, count }) => `${count} ${count === 1 ? what : PLURALS[what]}`);
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
