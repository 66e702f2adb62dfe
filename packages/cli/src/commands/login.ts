import { type Command, say } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { readServerUrl } from "../server-url.ts";
import { writeCredentials } from "../session/credentials.ts";
import { deviceLogin } from "../session/device-login.ts";

/** Where `npm start` serves when nothing is set. */
const LOCAL = "http://127.0.0.1:4000";

/** `stet login`: signs this machine in, after a person said yes in a browser. */
export const login: Command = async (args) => {
  const { values, problems } = readArguments(args, { values: ["url"] });
  const url = readServerUrl(values.get("url") ?? process.env["STET_URL"] ?? LOCAL);
  if ("problem" in url) problems.push(`--url ${url.problem}`);
  stopIfWrong(problems, "login [--url URL]");
  const credentials = await deviceLogin({
    url: "origin" in url ? url.origin : "",
    tell(code, address) {
      say(`Open this address in a browser, compare the code, and choose Allow:\n\n  ${address}\n\n  Code: ${code}\n\nWaiting …`);
    },
  });
  await writeCredentials(credentials);
  say(`Signed in at ${credentials.url}. To sign out, run: stet logout`);
  return 0;
};
