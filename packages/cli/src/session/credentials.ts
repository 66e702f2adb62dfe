import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { readServerUrl } from "../server-url.ts";

/** The credentials that `stet login` leaves on a machine, for one server. */
export interface Credentials {
  readonly url: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Where a person's own sign-in is kept, apart from any install. */
const personFolder = (): string => path.join(process.env["XDG_CONFIG_HOME"]?.trim() || path.join(homedir(), ".config"), "stet");
const credentialsFile = (): string => path.join(personFolder(), "credentials.json");

/** Null: nobody signed in on this machine. */
export async function readCredentials(): Promise<Credentials | null> {
  const text = await readFile(credentialsFile(), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const { version, url, accessToken, refreshToken } = jsonIn(text);
  if (version !== 1 || typeof url !== "string" || typeof accessToken !== "string" || typeof refreshToken !== "string") {
    throw new Error(`${credentialsFile()} cannot be read. Delete it, then run: stet login`);
  }
  return { url, accessToken, refreshToken };
}

/** For its owner's eyes only, and whole or not at all: another command may read it at this moment. */
export async function writeCredentials(credentials: Credentials): Promise<void> {
  await mkdir(personFolder(), { recursive: true, mode: 0o700 });
  const fresh = `${credentialsFile()}.${randomBytes(6).toString("hex")}`;
  await writeFile(fresh, `${JSON.stringify({ version: 1, ...credentials }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, credentialsFile());
}

export const deleteCredentials = (): Promise<void> => rm(credentialsFile(), { force: true });

/** The token of a script, which CI keeps as a secret; it is never renewed and never written down. Null when there is none. */
export function readScriptToken(): { readonly url: string; readonly accessToken: string } | null {
  const accessToken = process.env["STET_TOKEN"]?.trim();
  if (!accessToken) return null;
  const url = readServerUrl(process.env["STET_URL"] ?? "");
  if ("problem" in url) throw new Error(`STET_TOKEN is set, so STET_URL ${url.problem}`);
  return { url: url.origin, accessToken };
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
