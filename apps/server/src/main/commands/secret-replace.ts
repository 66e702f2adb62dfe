import { abandonSecondFactors } from "#adapters/accounts/auth-secrets";
import { createKeyring } from "#adapters/keyring/keyring";
import { voidSealedByOtherSecrets } from "#adapters/postgres/void-sealed-by-other-secrets";
import { migrate } from "#adapters/postgres/migrate";
import { forgetCanaries } from "#adapters/postgres/server-secrets";
import type { Command } from "../command.ts";
import { readConfig } from "../config.ts";
import { openInstallDatabase } from "../database.ts";
import { makeSecret, readSecrets } from "../secret.ts";
import { authSecrets, describeNeeds, judgeSecrets, needsOfOtherSecrets, secretIds, recordSecrets } from "../secret-check.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { say } from "./with-installation.ts";

const USAGE = "secret replace [--yes]";

/** `stet secret replace`: goes on with the secrets that are given, when the one before them is lost. */
export const secretReplace: Command = async (args) => {
  const { flags, problems } = readArguments(args, { flags: ["yes"] });
  stopIfWrong(problems, USAGE);
  const config = readConfig();
  const { database, close } = await openInstallDatabase(config, { role: "command", report: say });
  try {
    await migrate(database);
    const given = await readSecrets(config);
    if ((await judgeSecrets(database, given)).kind === "right") {
      say("The secret is right. There is nothing to replace.");
      return 0;
    }
    if (!flags.has("yes")) {
      const keyring = createKeyring(given ?? ["none of them"]);
      const needed = await needsOfOtherSecrets(database, keyring, given === null ? [] : secretIds(keyring));
      say(`Nothing was given up. Without the secret before would be lost: ${describeNeeds(needed) || "nothing but sessions"}.`);
      say("With --yes: project keys are revoked, and websites need new ones; webhooks are paused until their secret is rolled;");
      say("images in storages of websites' owners are not served until the owners enter their keys again;");
      say(
        "connected tools connect again; open invitations end; two-factor sign-in is turned off for those who have it; everybody signs in again.",
      );
      return 1;
    }
    const secrets = given ?? [(await makeSecret(config)).secret];
    const keyring = createKeyring(secrets);
    await abandonSecondFactors(database.pool, authSecrets(keyring));
    await database.transaction(async (connection) => {
      await voidSealedByOtherSecrets(connection, secretIds(keyring), keyring);
      await forgetCanaries(connection);
    });
    await recordSecrets(database, secrets, config);
    say("The secret was replaced. Start the service, give websites new keys, and roll the secrets of webhooks.");
    return 0;
  } finally {
    await close();
  }
};
