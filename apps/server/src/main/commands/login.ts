import type { Command } from "../command.ts";
import { isLoopback, readConfig } from "../config.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { writeCredentials } from "./session/credentials.ts";
import { deviceLogin } from "./session/device-login.ts";
import { say } from "./with-installation.ts";

/** `stet login`: signs this machine in, after a person said yes in a browser. */
export const login: Command = async (args) => {
  const { values, problems } = readArguments(args, { values: ["url"] });
  const given = values.get("url");
  const url = URL.parse(given ?? readConfig().publicUrl);
  if (!url || !/^https?:$/.test(url.protocol)) problems.push(`--url must be the address of a Stet server; got "${given}".`);
  else if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    problems.push("--url must start with https:// unless the server is on this machine, because your sign-in is sent there.");
  }
  stopIfWrong(problems, "login [--url URL]");
  const credentials = await deviceLogin({
    url: url!.origin,
    tell(code, address) {
      say(`Open this address in a browser, compare the code, and choose Allow:\n\n  ${address}\n\n  Code: ${code}\n\nWaiting …`);
    },
  });
  await writeCredentials(credentials);
  say(`Signed in at ${credentials.url}. To sign out, run: stet logout`);
  return 0;
};
