import { type Command, say } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { describePlan, planPush } from "../posts/plan-push.ts";
import { pushPosts } from "../posts/push-posts.ts";
import { Report } from "../posts/report.ts";
import { requireState } from "../posts/state.ts";
import { confirm } from "../session/confirm.ts";
import { isWebsiteId, requireWebsite, WEBSITE_PROBLEM } from "../session/website.ts";

const USAGE = "push [FOLDER] [--website ID] [--dry-run] [--yes]";

/** `stet push`: says what it would change first. It publishes nothing and deletes nothing. */
export const push: Command = async (args) => {
  const { values, flags, positionals, problems } = readArguments(args, { values: ["website"], flags: ["dry-run", "yes"], positionals: 1 });
  const named = values.get("website");
  if (named !== undefined && !isWebsiteId(named)) problems.push(WEBSITE_PROBLEM);
  stopIfWrong(problems, USAGE);
  const [folder = "posts"] = positionals;
  const state = await requireState(folder, named, () => requireWebsite(USAGE));
  const report = new Report();
  const plan = await planPush(folder, state, report);
  for (const step of plan) say(describePlan(step));
  if (flags.has("dry-run") || plan.length === 0) {
    say(`${folder}: ${plan.length} to push${report.sum() === "no posts" ? "" : `, ${report.sum()}`}. Nothing was pushed.`);
    return report.exitCode;
  }
  const agreed = flags.has("yes") || (await confirm(`Push ${plan.length} to ${state.url}? [y/N] `));
  if (!agreed) {
    if (agreed === null) say("Add --yes to push without being asked.");
    say("Nothing was pushed.");
    return 1;
  }
  await pushPosts(folder, state, plan, report);
  say(`${folder}: ${report.sum()}.`);
  return report.exitCode;
};
