import { readFile } from "node:fs/promises";
import path from "node:path";
import { requireAccess } from "../session/ask.ts";
import { replaceFile } from "./folder.ts";

/** What `stet` remembers of a post in this folder: nothing that the server or the files do not say, but it spares asking. */
export interface Known {
  /** Of the post when it was last pulled or pushed. */
  readonly version: number;
  /** Of the file at that moment. */
  readonly hash: string;
  /** What was pushed waits for review; whether it was accepted or rejected the version does not tell. */
  readonly isHeld?: true;
}

export interface FolderState {
  readonly url: string;
  readonly website: string;
  readonly posts: Map<string, Known>;
}

const NAME = ".stet.json";

/** Null: nothing was pulled into this folder yet. */
async function readState(folder: string): Promise<FolderState | null> {
  const file = path.join(folder, NAME);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const { version, url, website, posts } = JSON.parse(text) as { version: number; posts: Record<string, Known> } & FolderState;
    if (version === 1 && typeof url === "string" && typeof website === "string")
      return { url, website, posts: new Map(Object.entries(posts)) };
  } catch {
    // Said below.
  }
  throw new Error(`${file} cannot be read. Delete it and run the command again: your posts are compared with the server then.`);
}

/** A folder belongs to one website: its ids and versions mean nothing to another. */
export async function requireState(folder: string, named: string | undefined, findWebsite: () => Promise<string>): Promise<FolderState> {
  const [state, { url }] = await Promise.all([readState(folder), requireAccess()]);
  if (!state) return { url, website: named ?? (await findWebsite()), posts: new Map() };
  if (state.url !== url || (named !== undefined && named !== state.website)) {
    throw new Error(`${folder} has the posts of ${state.website} at ${state.url}. Use another folder for this website.`);
  }
  return state;
}

export const writeState = (folder: string, { url, website, posts }: FolderState): Promise<void> =>
  replaceFile(
    folder,
    NAME,
    `${JSON.stringify({ version: 1, url, website, posts: Object.fromEntries([...posts].toSorted(([a], [b]) => (a < b ? -1 : 1))) }, null, 1)}\n`,
  );
