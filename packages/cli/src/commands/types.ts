import { readFile, writeFile } from "node:fs/promises";
import { type Command, say } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { readWebsite } from "../posts/remote-posts.ts";
import { isWebsiteId, requireWebsite, WEBSITE_PROBLEM } from "../session/website.ts";
import { fieldsModule } from "./fields-module.ts";

const USAGE = "types [--website ID] [--out FILE]";

/** `stet types`: the custom fields of a website for TypeScript. What did not change is not written, so nothing builds again. */
export const types: Command = async (args) => {
  const { values, problems } = readArguments(args, { values: ["website", "out"] });
  const named = values.get("website");
  if (named !== undefined && !isWebsiteId(named)) problems.push(WEBSITE_PROBLEM);
  stopIfWrong(problems, USAGE);
  const { name, fields } = await readWebsite(named ?? (await requireWebsite(USAGE)));
  const out = values.get("out") ?? "stet-fields.ts";
  const text = fieldsModule(fields);
  if ((await readFile(out, "utf8").catch(() => null)) === text) {
    say(`${out} is up to date.`);
    return 0;
  }
  await writeFile(out, text);
  say(`${out} has the ${fields.length} custom fields of ${JSON.stringify(name)}.`);
  return 0;
};
