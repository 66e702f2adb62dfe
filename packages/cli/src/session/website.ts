import { stopIfWrong } from "../options.ts";
import { shownLine } from "./shown.ts";
import { askWhoami } from "./whoami.ts";

export const isWebsiteId = (text: string): boolean => /^site_[0-9a-z]{26}$/.test(text);
export const WEBSITE_PROBLEM = "--website must be the id of a website (site_…), as stet whoami lists them.";

/** The only website there is: a person who reaches only one need not name it. */
export async function requireWebsite(usage: string): Promise<string> {
  const websites = (await askWhoami()).workspaces.flatMap(({ websites: those }) => those);
  const [first] = websites;
  if (!first) throw new Error("You have no access to a website. Create one, or sign in to another workspace: stet login");
  if (websites.length > 1) {
    stopIfWrong(
      [`--website is required, because you have several:\n${websites.map(({ id, name }) => shownLine(`    ${id}  ${name}`)).join("\n")}`],
      usage,
    );
  }
  return first.id;
}
