import { resealSecondFactors } from "#adapters/accounts/auth-secrets";
import { createKeyring } from "#adapters/keyring/keyring";
import { resealAll } from "#adapters/postgres/reseal";
import { chooseSecret } from "#adapters/postgres/server-secrets";
import type { Command } from "../command.ts";
import { authSecrets, describeNeeds, needsOfOtherSecrets, secretIds } from "../secret-check.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { say, withInstallation } from "./with-installation.ts";

/** `stet secret reseal`: moves everything to the first secret of STET_SECRET, so that the others can be taken out. */
export const secretReseal: Command = async (args) => {
  stopIfWrong(readArguments(args, {}).problems, "secret reseal");
  const needed = await withInstallation(async ({ database, secrets }) => {
    const keyring = createKeyring(secrets);
    const [currentId] = secretIds(keyring);
    await chooseSecret(database, currentId!);
    await resealAll(database, keyring, currentId!);
    await resealSecondFactors(database.pool, authSecrets(keyring));
    return needsOfOtherSecrets(database, keyring, [currentId!]);
  });
  if (needed.length === 0) say("Everything is sealed with the first secret. Take the others out of STET_SECRET on every node.");
  else {
    say(`Sealed with the first secret what could be. An older one is still needed for ${describeNeeds(needed)}.`);
    say(
      "A project key moves with its next use: revoke those that nobody uses. Invitations end within a week. `stet doctor` says when it is done.",
    );
  }
  return 0;
};
