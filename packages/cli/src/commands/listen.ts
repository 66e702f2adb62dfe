import { type Command, say } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { forwardEvents } from "../session/forward-events.ts";
import { makeSecret } from "../session/sign-event.ts";
import { isWebsiteId, requireWebsite, WEBSITE_PROBLEM } from "../session/website.ts";

const USAGE = "listen [--website ID] --forward URL [--secret SECRET]";

/** `stet listen`: what happens on a website, sent to a program on this machine as a webhook would be. */
export const listen: Command = async (args) => {
  const { values, problems } = readArguments(args, { values: ["website", "forward", "secret"] });
  const named = values.get("website");
  const given = values.get("forward") ?? "";
  if (named !== undefined && !isWebsiteId(named)) problems.push(WEBSITE_PROBLEM);
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    problems.push("--forward must be an address such as http://localhost:3000/hook.");
  }
  stopIfWrong(problems, USAGE);
  const websiteId = named ?? (await requireWebsite(USAGE));
  const secret = values.get("secret") ?? makeSecret();
  say(`Signing secret, for your program: ${secret}`);
  await forwardEvents({ websiteId, forward: new URL(given).href, secret, signal: askedToStop(), tell: say });
  return 0;
};

function askedToStop(): AbortSignal {
  const stop = new AbortController();
  // SIGHUP: the terminal was closed. The channel: whatever started us with one is gone, and nobody could stop us any more.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  process.once("disconnect", () => stop.abort());
  process.channel?.unref();
  return stop.signal;
}
