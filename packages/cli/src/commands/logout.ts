import { type Command, say } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { deleteCredentials, readCredentials } from "../session/credentials.ts";
import { postForm } from "../session/token-endpoint.ts";

/** `stet logout`: ends the connection of this machine, on the server too. */
export const logout: Command = async (args) => {
  stopIfWrong(readArguments(args, {}).problems, "logout");
  const credentials = await readCredentials();
  if (!credentials) {
    say("You are not signed in.");
    return 0;
  }
  const isEnded = await postForm(credentials.url, "/oauth/revoke", { token: credentials.refreshToken }).then(
    ({ ok }) => ok,
    () => false,
  );
  await deleteCredentials();
  say(
    isEnded
      ? `Signed out of ${credentials.url}.`
      : `Signed out on this machine. ${credentials.url} did not respond: disconnect this machine there under Settings, Connected apps.`,
  );
  return isEnded ? 0 : 1;
};
