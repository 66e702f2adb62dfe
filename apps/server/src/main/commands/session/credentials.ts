import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { personFolder } from "../../config.ts";

/** The credentials that `stet login` leaves on a machine, for one server. */
export interface Credentials {
  readonly url: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const schema = z.object({ version: z.literal(1), url: z.string(), accessToken: z.string(), refreshToken: z.string() });

const fileIn = (folder: string): string => path.join(folder, "credentials.json");

/** Null: nobody signed in on this machine. */
export async function readCredentials(folder = personFolder()): Promise<Credentials | null> {
  const text = await readFile(fileIn(folder), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = schema.safeParse(jsonIn(text));
  if (!parsed.success) throw new Error(`${fileIn(folder)} cannot be read. Delete it, then run: stet login`);
  const { url, accessToken, refreshToken } = parsed.data;
  return { url, accessToken, refreshToken };
}

/** For its owner's eyes only, and whole or not at all: another command may read it at this moment. */
export async function writeCredentials(credentials: Credentials, folder = personFolder()): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = `${fileIn(folder)}.${randomBytes(6).toString("hex")}`;
  await writeFile(fresh, `${JSON.stringify({ version: 1, ...credentials }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, fileIn(folder));
}

export const deleteCredentials = (folder = personFolder()): Promise<void> => rm(fileIn(folder), { force: true });

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
