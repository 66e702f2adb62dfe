import { createHash } from "node:crypto";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type pg from "pg";

/** The secrets of the auth library. All of them are accepted; the first one signs and seals. */
export interface AuthSecrets {
  readonly secret: string;
  /** From before the server secret was rotated. */
  readonly olderSecrets?: readonly string[];
}

export const secretList = ({ secret, olderSecrets = [] }: AuthSecrets): readonly string[] => [secret, ...olderSecrets];

/** The library writes this number beside what it seals. It follows from the secret, so that every node has the same, in whatever order it was given them. */
const versionOf = (secret: string): number => createHash("sha256").update(`version ${secret}`).digest().readUIntBE(0, 6);

/** The secrets as the library takes them. What it sealed before it knew versions opens with the oldest. */
export const secretSettings = (secrets: AuthSecrets) => ({
  secret: secretList(secrets).at(-1)!,
  secrets: secretList(secrets).map((value) => ({ version: versionOf(value), value })),
});

const ENVELOPE = /^\$ba\$(\d+)\$/;

/** Which of the secrets opens what the library sealed: its place in the list; -1, none. */
async function openerOf(sealed: string, secrets: AuthSecrets): Promise<number> {
  const list = secretList(secrets);
  const version = ENVELOPE.exec(sealed)?.[1];
  if (version !== undefined) return list.findIndex((secret) => String(versionOf(secret)) === version);
  for (const [index, key] of list.entries()) {
    const opened = await symmetricDecrypt({ key, data: sealed }).catch(() => null);
    if (opened !== null) return index;
  }
  return -1;
}

/** How many second factors each of the secrets opens, and how many none does. */
export async function countSecondFactors(
  pool: Pick<pg.Pool, "query">,
  secrets: AuthSecrets,
): Promise<{ readonly opened: readonly number[]; readonly lost: number }> {
  const opened = secretList(secrets).map(() => 0);
  let lost = 0;
  const { rows: tables } = await pool.query<{ there: boolean }>(`SELECT to_regclass('"twoFactor"') IS NOT NULL AS there`);
  if (!tables[0]!.there) return { opened, lost };
  const { rows } = await pool.query<{ secret: string; backupCodes: string }>(`SELECT secret, "backupCodes" FROM "twoFactor"`);
  for (const { secret, backupCodes } of rows) {
    const openers = [await openerOf(secret, secrets), await openerOf(backupCodes, secrets)];
    if (openers.includes(-1)) lost += 1;
    // The older of the two is the one that is still needed.
    else opened[Math.max(...openers)]! += 1;
  }
  return { opened, lost };
}

/** Values that were sealed before versions were written beside them get the version of the secret that opens them: the library tries only one. */
export async function nameVersions(pool: Pick<pg.Pool, "query">, secrets: AuthSecrets): Promise<void> {
  const named = async (sealed: string): Promise<string> => {
    const index = ENVELOPE.test(sealed) ? -1 : await openerOf(sealed, secrets);
    return index === -1 ? sealed : `$ba$${versionOf(secretList(secrets)[index]!)}$${sealed}`;
  };
  const { rows } = await pool.query<SealedRow>(
    `SELECT id, secret, "backupCodes" FROM "twoFactor" WHERE secret NOT LIKE '$ba$%' OR "backupCodes" NOT LIKE '$ba$%'`,
  );
  for (const row of rows) await replace(pool, row, { secret: await named(row.secret), backupCodes: await named(row.backupCodes) });
}

/** Seals second factors anew under the first secret. What changes meanwhile is left as it is. */
export async function resealSecondFactors(pool: Pick<pg.Pool, "query">, secrets: AuthSecrets): Promise<void> {
  await nameVersions(pool, secrets);
  const key = { keys: new Map(secretList(secrets).map((value) => [versionOf(value), value])), currentVersion: versionOf(secrets.secret) };
  const anew = async (data: string): Promise<string> => {
    if ((await openerOf(data, secrets)) < 1) return data;
    return symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  };
  const { rows } = await pool.query<SealedRow>(`SELECT id, secret, "backupCodes" FROM "twoFactor"`);
  for (const row of rows) await replace(pool, row, { secret: await anew(row.secret), backupCodes: await anew(row.backupCodes) });
}

interface SealedRow {
  readonly id: string;
  readonly secret: string;
  readonly backupCodes: string;
}

/** Unless a code was used meanwhile, which would be good again. */
async function replace(pool: Pick<pg.Pool, "query">, row: SealedRow, by: Omit<SealedRow, "id">): Promise<void> {
  await pool.query(`UPDATE "twoFactor" SET secret = $4, "backupCodes" = $5 WHERE id = $1 AND secret = $2 AND "backupCodes" = $3`, [
    row.id,
    row.secret,
    row.backupCodes,
    by.secret,
    by.backupCodes,
  ]);
}

/** Turns off the second factors that none of the secrets opens: their owners could never sign in again. */
export async function abandonSecondFactors(pool: Pick<pg.Pool, "query">, secrets: AuthSecrets): Promise<void> {
  const { rows } = await pool.query<SealedRow>(`SELECT id, secret, "backupCodes" FROM "twoFactor"`);
  for (const { id, secret, backupCodes } of rows) {
    if ((await openerOf(secret, secrets)) !== -1 && (await openerOf(backupCodes, secrets)) !== -1) continue;
    await pool.query(
      `WITH gone AS (DELETE FROM "twoFactor" WHERE id = $1 RETURNING "userId")
       UPDATE "user" SET "twoFactorEnabled" = false FROM gone WHERE "user".id = gone."userId"`,
      [id],
    );
  }
}
