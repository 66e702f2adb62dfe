import { isId } from "#domain/ids";
import { makeWebhookSecret } from "#domain/webhook-signature";
import type { Command } from "../command.ts";
import { untilAskedToStop } from "../stop-signal.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { forwardEvents } from "./session/forward-events.ts";
import { say } from "./with-installation.ts";

/** `stet listen`: what happens on a website, sent to a program on this machine as a webhook would be. */
export const listen: Command = async (args) => {
  const { values, problems } = readArguments(args, { values: ["website", "forward", "secret"] });
  const websiteId = values.get("website") ?? "";
  const forward = URL.parse(values.get("forward") ?? "");
  if (!isId("website", websiteId)) problems.push("--website must be the id of a website (site_…). It stands in the website's settings.");
  if (!forward || !/^https?:$/.test(forward.protocol)) problems.push("--forward must be an address such as http://localhost:3000/hook.");
  stopIfWrong(problems, "listen --website ID --forward URL [--secret SECRET]");
  const secret = values.get("secret") ?? makeWebhookSecret();
  const stop = new AbortController();
  void untilAskedToStop().then(() => stop.abort());
  say(`Signing secret, for your program: ${secret}`);
  say(`Events of ${websiteId} go to ${forward!.href}. Stop with Ctrl-C.`);
  await forwardEvents({ websiteId, forward: forward!.href, secret, signal: stop.signal, tell: say });
  return 0;
};
