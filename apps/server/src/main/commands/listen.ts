import { isId } from "#domain/ids";
import { makeWebhookSecret } from "#domain/webhook-signature";
import type { Command } from "../command.ts";
import { untilAskedToStop } from "../stop-signal.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { forwardEvents } from "./session/forward-events.ts";
import { askWhoami } from "./session/whoami.ts";
import { say } from "./with-installation.ts";

const USAGE = "listen [--website ID] --forward URL [--secret SECRET]";

/** `stet listen`: what happens on a website, sent to a program on this machine as a webhook would be. */
export const listen: Command = async (args) => {
  const { values, problems } = readArguments(args, { values: ["website", "forward", "secret"] });
  const named = values.get("website");
  const forward = URL.parse(values.get("forward") ?? "");
  if (named !== undefined && !isId("website", named))
    problems.push("--website must be the id of a website (site_…), as stet whoami lists them.");
  if (!forward || !/^https?:$/.test(forward.protocol)) problems.push("--forward must be an address such as http://localhost:3000/hook.");
  stopIfWrong(problems, USAGE);
  const websiteId = named ?? (await onlyWebsite());
  const secret = values.get("secret") ?? makeWebhookSecret();
  const stop = new AbortController();
  void untilAskedToStop().then(() => stop.abort());
  say(`Signing secret, for your program: ${secret}`);
  await forwardEvents({ websiteId, forward: forward!.href, secret, signal: stop.signal, tell: say });
  return 0;
};

/** A person who reaches only one website need not name it. */
async function onlyWebsite(): Promise<string> {
  const websites = (await askWhoami()).workspaces.flatMap(({ websites: those }) => those);
  const [first] = websites;
  if (!first) throw new Error("You have no access to a website. Create one, or sign in to another workspace: stet login");
  if (websites.length > 1) {
    stopIfWrong(
      [`--website is required, because you have several:\n${websites.map(({ id, name }) => `    ${id}  ${name}`).join("\n")}`],
      USAGE,
    );
  }
  return first.id;
}
