import { createKeyring } from "#adapters/keyring/keyring";
import type { Database } from "#adapters/postgres/database";
import type { Config } from "../config.ts";
import { readSecrets } from "../secret.ts";
import { describeNeeds, judgeSecrets, needsOfOtherSecrets, describeVerdict, secretIds } from "../secret-check.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

/** Whether the secrets are those of this database, and which of several can go. */
export async function checkSecretsOf(database: Database, config: Pick<Config, "secrets" | "dataFolder">): Promise<readonly Finding[]> {
  const secrets = await readSecrets(config);
  const verdict = await judgeSecrets(database, secrets);
  if (verdict.kind !== "right") return [problem(`Secret: ${describeVerdict(verdict, config)}`)];
  if (secrets === null) return [];
  const right = good("Secret: it is the one this database is used with.");
  const keyring = createKeyring(secrets);
  // A schema that waits for its migrations cannot be asked.
  const lost = await needsOfOtherSecrets(database, keyring, secretIds(keyring)).catch(() => []);
  if (lost.length > 0)
    return [right, warning(`Secret: a secret that is no longer given made ${describeNeeds(lost)}, which cannot work. ${GIVE}`)];
  if (secrets.length === 1) return [right];
  const needed = await needsOfOtherSecrets(database, keyring, secretIds(keyring).slice(0, 1));
  return [right, needed.length === 0 ? good(ALL_MOVED) : warning(`Secret: ${describeNeeds(needed)} still need an older one. ${MOVE}`)];
}

const ALL_MOVED = "Secret: nothing needs the older ones any more. Take them out of STET_SECRET on every node.";
const GIVE = "Put that secret behind the first one in STET_SECRET, or create them again.";
const MOVE =
  "`stet secret reseal` moves what it can; project keys move with their next use, so revoke those that nobody uses; invitations end by themselves.";
