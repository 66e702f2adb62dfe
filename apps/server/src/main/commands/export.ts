import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemActor } from "#domain/actor";
import { isId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import { exportWebsite } from "#operations/transfer/export-website";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { say, withInstallation } from "./with-installation.ts";

const USAGE = "export WEBSITE_ID [--out FILE]";

/** `stet export`: everything a website holds, to a file or to stdout. */
export const exportCommand: Command = async (args) => {
  const { positionals, values, problems } = readArguments(args, { positionals: 1, values: ["out"] });
  const [websiteId = ""] = positionals;
  if (!isId("website", websiteId))
    problems.push(`WEBSITE_ID must be the id of a website, as in the dashboard's address /s/site_…; got "${websiteId}".`);
  if (values.get("out") === "") problems.push("--out must name a file.");
  stopIfWrong(problems, USAGE);
  await withInstallation(async ({ services }) => {
    const { lines } = await execute(services, exportWebsite, systemActor("stet export"), { websiteId });
    const source = Readable.from(lines, { objectMode: false, encoding: "utf8" });
    const file = values.get("out");
    if (file === undefined) return pipeline(source, process.stdout, { end: false });
    await toFile(source, file);
    say(`Written to ${file}.`);
  });
  return 0;
};

/** Under its name only when it is whole. Drafts are in it: closed to other users of the machine. */
async function toFile(source: Readable, file: string): Promise<void> {
  const temporary = `${file}.part`;
  try {
    await pipeline(source, createWriteStream(temporary, { mode: 0o600, flush: true }));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
