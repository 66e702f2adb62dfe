import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "./config.ts";

type SecretSource = Pick<Config, "secrets" | "dataFolder">;

/** The secrets that were given: those of STET_SECRET, else the one in the data folder. Null: there is none yet. */
export async function readSecrets(config: SecretSource): Promise<readonly string[] | null> {
  if (config.secrets) return [...new Set(config.secrets)];
  const secret = await readSecret(secretFile(config.dataFolder));
  return secret === null ? null : [secret];
}

/**
 * Makes a secret in the data folder. Processes that start at once agree on one: the file is complete before it gets its name,
 * and only the first to name it wins. `isNew`: it was this process.
 */
export async function makeSecret({ dataFolder }: Pick<Config, "dataFolder">): Promise<{ secret: string; isNew: boolean }> {
  const file = secretFile(dataFolder);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const unnamed = `${file}.${randomBytes(6).toString("hex")}`;
  let isNew = true;
  try {
    await writeFile(unnamed, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
    await link(unnamed, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      isNew = false;
    });
  } finally {
    await rm(unnamed, { force: true });
  }
  const secret = await readSecret(file);
  if (!secret) throw new Error(`The secret in ${file} was removed while it was being made. Start again.`);
  return { secret, isNew };
}

export const secretFile = (dataFolder: string): string => path.join(dataFolder, "secret");

async function readSecret(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new Error(`The secret in ${file} cannot be read (${error.code}). Start Stet as the user that owns it, or set STET_SECRET.`);
  });
  if (text === null) return null;
  // An empty or cut file would silently invalidate every key and session.
  if (text.trim().length < 32)
    throw new Error(`The secret in ${file} is damaged: it has fewer than 32 characters. Restore it from a backup, or set STET_SECRET.`);
  return text.trim();
}
