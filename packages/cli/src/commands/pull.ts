import { type Command, say } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { pullPosts } from "../posts/pull-posts.ts";
import { Report } from "../posts/report.ts";
import { requireState } from "../posts/state.ts";
import { isWebsiteId, requireWebsite, WEBSITE_PROBLEM } from "../session/website.ts";

const USAGE = "pull [FOLDER] [--website ID]";

/** `stet pull`: the posts of a website as files. Files that were edited here are left as they are. */
export const pull: Command = async (args) => {
  const { values, positionals, problems } = readArguments(args, { values: ["website"], positionals: 1 });
  const named = values.get("website");
  if (named !== undefined && !isWebsiteId(named)) problems.push(WEBSITE_PROBLEM);
  stopIfWrong(problems, USAGE);
  const [folder = "posts"] = positionals;
  const report = new Report();
  await pullPosts(folder, await requireState(folder, named, () => requireWebsite(USAGE)), report);
  say(`${folder}: ${report.sum()}.`);
  return report.exitCode;
};
