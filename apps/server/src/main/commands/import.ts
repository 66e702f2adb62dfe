import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import { systemActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import { isId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import type { ImportResult } from "#operations/transfer/helpers/report";
import { importWebsite } from "#operations/transfer/import-website";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { say, withInstallation } from "./with-installation.ts";

const USAGE = "import WEBSITE_ID FILE [--json]";

const SHOWN = 20;
/** Lines between two messages of progress. */
const EVERY = 2_000;

/** `stet import`: adds what an export holds. Exits with 1 when something was left out. */
export const importCommand: Command = async (args) => {
  const { positionals, flags, problems } = readArguments(args, { positionals: 2, flags: ["json"] });
  const [websiteId = "", file = ""] = positionals;
  if (!isId("website", websiteId))
    problems.push(`WEBSITE_ID must be the id of a website, as in the dashboard's address /s/site_…; got "${websiteId}".`);
  if (file === "") problems.push("FILE is missing: an export, or - for stdin.");
  else if (file !== "-" && !(await isReadable(file))) problems.push(`${file} cannot be read.`);
  stopIfWrong(problems, USAGE);
  const source =
    file === "-" ? process.stdin.setEncoding("utf8") : createReadStream(file, { encoding: "utf8", highWaterMark: 1024 * 1024 });
  const onProgress = (lines: number) => {
    if (lines % EVERY === 0) say(`${lines} lines …`);
  };
  const result = await withInstallation(({ services }) =>
    execute(services, importWebsite, systemActor("stet import"), { websiteId, source, onProgress }).catch((error: unknown) => {
      const soFar = error instanceof Failure ? (error.facts.soFar as ImportResult | undefined) : undefined;
      if (soFar) say(`Stopped. So far: ${summary(soFar)}`);
      throw error;
    }),
  );
  for (const { line, type, id, label, reason } of result.conflicts.slice(0, SHOWN))
    say(`Line ${line}, ${type} ${id} (${label}): ${reason}`);
  if (result.conflictCount > SHOWN) say(`… and ${result.conflictCount - SHOWN} more.`);
  process.stdout.write(flags.has("json") ? `${JSON.stringify(result)}\n` : `${summary(result)}\n`);
  return result.conflictCount === 0 ? 0 : 1;
};

function summary({ imported, skipped, conflictCount, fieldsAdded, settingsTaken, settingsKept }: ImportResult): string {
  const { post, revision, term, media } = imported;
  const there = skipped.post + skipped.revision + skipped.term + skipped.media;
  const named = (what: string, names: readonly string[]) => (names.length > 0 ? ` ${what}: ${names.join(", ")}.` : "");
  return (
    `${post} posts, ${revision} revisions, ${term} categories, tags and authors, ${media} images imported; ${there} records already existed; ${conflictCount} conflicts.` +
    named("Fields added", fieldsAdded) +
    named("Settings taken", settingsTaken) +
    named("Settings that differ and were left as they are", settingsKept)
  );
}

const isReadable = (file: string): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
