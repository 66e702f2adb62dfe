import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { withUnixLines } from "./front-matter.ts";
import { isPostId, type PostFile, readPostFile } from "./post-file.ts";
import { FrontMatterError } from "./yaml-value.ts";

/** A file of the folder: what it says, or why it cannot be used. */
export interface LocalFile {
  readonly name: string;
  /** Null when it was not read at all. */
  readonly text: string | null;
  readonly file: PostFile | null;
  readonly problem: string | null;
}

/** More than a post can have; what is larger is something else. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The Markdown files directly in the folder, by name. Links are not followed: they may lead out of it. */
export async function readFolder(folder: string): Promise<readonly LocalFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new Error(`${folder} cannot be read: ${error.message}`);
  });
  const files: LocalFile[] = [];
  for (const name of names.toSorted()) if (/^[^.].*\.md$/i.test(name)) files.push(await readLocal(folder, name));
  return markTwins(files);
}

async function readLocal(folder: string, name: string): Promise<LocalFile> {
  const bad = (problem: string, text: string | null = null): LocalFile => ({ name, text, file: null, problem });
  const stat = await lstat(path.join(folder, name));
  if (!stat.isFile()) return bad("it is no regular file, so it was not read");
  if (stat.size > MOST_BYTES) return bad("it is larger than 4 MB, so it was not read");
  const text = utf8(await readFile(path.join(folder, name)));
  if (text === null) return bad("it is not UTF-8");
  try {
    return { name, text, file: readPostFile(text), problem: null };
  } catch (error) {
    if (error instanceof FrontMatterError) return bad(error.message, text);
    throw error;
  }
}

function markTwins(files: readonly LocalFile[]): readonly LocalFile[] {
  const byId = new Map<string, string>();
  return files.map((local) => {
    const id = local.file?.post?.id;
    if (id === undefined) return local;
    const first = byId.get(id);
    if (first === undefined) byId.set(id, local.name);
    return first === undefined
      ? local
      : { ...local, file: null, problem: `it has the same id as ${first}. For a new post, remove id and version` };
  });
}

/** Names that Windows keeps for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The name of a new file. A slug comes from the server, and a store that others write to can hold anything: what is not exactly a slug, or is
 * taken, is left for the id, and what is no id either gets no file.
 */
export function nameFor(post: { readonly id: string; readonly slug: string }, taken: ReadonlySet<string>): string | null {
  const isSlug = post.slug.length <= 96 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(post.slug) && !RESERVED.test(post.slug);
  const names = [isSlug ? `${post.slug}.md` : null, isPostId(post.id) ? `${post.id}.md` : null];
  return names.find((name) => name !== null && !taken.has(name.toLowerCase())) ?? null;
}

/** Writes a file whole or not at all, in place of a link too; not when it is no longer as it was read (null: not there). Answers whether it did. */
export async function writeLocal(folder: string, name: string, text: string, before: string | null): Promise<boolean> {
  if (name !== path.basename(name) || name.startsWith(".")) throw new Error(`${name} is no name of a file.`);
  const now = await readFile(path.join(folder, name)).then(utf8, (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (now !== before) return false;
  await replaceFile(folder, name, text);
  return true;
}

export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const fresh = path.join(folder, `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeFile(fresh, text, { flag: "wx" });
    await rename(fresh, path.join(folder, name));
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** The same for the same file with other line ends, as git makes them on Windows. */
export const hashOf = (text: string): string => createHash("sha256").update(withUnixLines(text)).digest("hex");

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
