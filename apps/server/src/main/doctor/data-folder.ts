import { access, constants, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { diskWords, readingOf } from "#domain/disk-space";
import type { Config } from "../config.ts";
import { secretFile } from "../secret.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

export async function checkDataFolder({
  dataFolder,
  databaseUrl,
  diskLimits,
}: Pick<Config, "dataFolder" | "databaseUrl" | "diskLimits">): Promise<readonly Finding[]> {
  const found = await stat(dataFolder).catch(() => null);
  const findings: Finding[] = [];
  // A folder that does not exist yet is made in the nearest one that does.
  let existing = dataFolder;
  while (!(await stat(existing).catch(() => null))) existing = path.dirname(existing);
  if (found && !found.isDirectory()) return [problem(`The data folder ${dataFolder} is a file. Move it, or set STET_DATA.`)];
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    findings.push(problem(`The data folder ${dataFolder} cannot be written by this user. Change its owner, or set STET_DATA.`));
  else findings.push(good(found ? `Data folder ${dataFolder}.` : `Data folder ${dataFolder}: will be created at the first start.`));
  if (found && (found.mode & 0o002) !== 0)
    findings.push(problem(`Everyone can write to the data folder. Restrict it: chmod 700 ${dataFolder}`));
  const { bavail, blocks, bsize } = await statfs(existing);
  const reading = readingOf(bavail * bsize, blocks * bsize, diskLimits);
  const { message, next } = diskWords(reading, databaseUrl === null);
  if (reading.level === "low") findings.push(warning(`${message} ${next}`));
  else if (reading.level !== "ok") findings.push(problem(`${message} ${next}`));
  return findings;
}

export async function checkSecret(config: Pick<Config, "secrets" | "dataFolder" | "databaseUrl">): Promise<readonly Finding[]> {
  if (config.secrets)
    return [good(`Secret: from STET_SECRET${config.secrets.length > 1 ? `, with ${config.secrets.length - 1} older` : ""}.`)];
  const file = secretFile(config.dataFolder);
  const found = await stat(file).catch(() => null);
  if (!found) return [good("Secret: will be created at the first start on an empty database.")];
  const findings: Finding[] = [];
  if ((found.mode & 0o077) !== 0) findings.push(problem(`Others can read the secret. Restrict it: chmod 600 ${file}`));
  else if (found.size < 32)
    findings.push(problem(`The secret in ${file} is damaged. Restore it from a backup: without it all keys and sessions stop working.`));
  else findings.push(good(`Secret: ${file}.`));
  if (config.databaseUrl)
    findings.push(warning("The secret is in the data folder. Several machines need the same one: set STET_SECRET on each."));
  return findings;
}
