import type { Command } from "./command.ts";
import { ConfigError, readConfig } from "./config.ts";
import { checkContent } from "./doctor/content.ts";
import { checkDatabase } from "./doctor/database.ts";
import { checkDataFolder, checkSecret } from "./doctor/data-folder.ts";
import { checkImageStore } from "./doctor/image-store.ts";
import { checkMail } from "./doctor/mail.ts";
import { checkPort, checkPublicUrl } from "./doctor/network.ts";
import { type Finding, good, problem } from "./doctor/finding.ts";

/** `stet doctor`: looks at everything the service needs and changes nothing. */
export const doctor: Command = async () => {
  let healthy = true;
  const say = (findings: readonly Finding[]): void => {
    for (const { verdict, message } of findings) {
      if (verdict === "problem") healthy = false;
      process.stdout.write(`${MARKS[verdict]} ${message}\n`);
    }
  };
  say([checkNode(process.versions.node)]);
  try {
    const config = readConfig();
    say([good(`Settings: no problem. The service answers at ${config.publicUrl}.`)]);
    for (const check of [checkPublicUrl, checkDataFolder, checkSecret, checkDatabase, checkContent, checkImageStore, checkMail, checkPort])
      say(await check(config));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(error.problems.map((text) => problem(`Settings: ${text}`)));
  }
  process.stdout.write(healthy ? "\nNo problem found.\n" : "\nThere are problems: see the lines marked with !!\n");
  return healthy ? 0 : 1;
};

const MARKS = { good: "  ok", warning: "   ?", problem: "  !!" } as const;

function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= 24) return good(`Node ${version}.`);
  return problem(`Node ${version} is too old: Stet runs on 24 or newer. Start it with npm start, which brings its own.`);
}
