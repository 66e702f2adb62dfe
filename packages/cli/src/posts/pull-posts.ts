import { changesOf } from "./compare.ts";
import { describeConflict, isConflict } from "./conflict.ts";
import { hashOf, type LocalFile, nameFor, readFolder, writeLocal } from "./folder.ts";
import { inParallel } from "./in-parallel.ts";
import { setKeys, writePostFile } from "./post-file.ts";
import { contentOf, listHeads, type PostHead, readPost, type RemotePost } from "./remote-posts.ts";
import type { Report } from "./report.ts";
import { type FolderState, writeState } from "./state.ts";

const AT_A_TIME = 4;

/** Writes what is new on the server. A file that was edited here since it was pulled is never overwritten. */
export async function pullPosts(folder: string, state: FolderState, report: Report): Promise<void> {
  const locals = await readFolder(folder);
  const taken = new Set(locals.map(({ name }) => name.toLowerCase()));
  const byId = new Map(locals.flatMap((local) => (local.file?.post ? [[local.file.post.id, local] as const] : [])));
  for (const { name, problem } of locals) if (problem !== null) report.tell("problem", name, problem);
  const heads = await listHeads(state.website);
  try {
    await inParallel(heads, AT_A_TIME, async (head) => {
      const local = byId.get(head.id);
      if (local && !isWorthReading(local, head, state)) {
        const isEdited = state.posts.get(head.id)?.hash !== hashOf(local.text!);
        report.tell(isEdited ? "kept" : "unchanged", local.name, isEdited ? "edited here and not pushed yet" : "");
        return;
      }
      const post = await readPost(state.website, head.id);
      // It was deleted since it was listed.
      if (post) await pullPost(post, local);
    });
  } finally {
    await writeState(folder, state);
  }
  tellMissing(heads, byId, report);

  async function pullPost(post: RemotePost, local: LocalFile | undefined): Promise<void> {
    const name = local?.name ?? nameFor(post, taken);
    if (name === null)
      return report.tell("problem", JSON.stringify(post.slug), "there is no name for its file; rename it in the dashboard");
    taken.add(name.toLowerCase());
    if (!local) return write(name, null, writePostFile(post, contentOf(post)), post);
    const text = local.text!;
    const known = state.posts.get(post.id);
    const isEdited = known?.hash !== hashOf(text);
    const isSame = Object.keys(changesOf(local.file!.content, post)).length === 0;
    const isSameVersion = local.file!.post!.version === post.version;
    if (isEdited && !isSame) {
      if (!isConflict(local.file!, post, known)) return report.tell("kept", name, "edited here and not pushed yet");
      const { words, details } = describeConflict(local.file!, post);
      return report.tell("conflict", name, words, details);
    }
    // Comments and the order of keys are their owner's, as long as nothing else has to be written.
    const isTheirs = isEdited || (isSame && isSameVersion);
    const isHeld = known?.isHeld === true && isSame && isSameVersion;
    return write(name, text, isTheirs ? setKeys(text, post) : writePostFile(post, contentOf(post)), post, isHeld);
  }

  async function write(name: string, before: string | null, text: string, post: RemotePost, isHeld = false): Promise<void> {
    const isSame = before !== null && hashOf(before) === hashOf(text);
    if (!isSame && !(await writeLocal(folder, name, text, before))) {
      return report.tell("kept", name, "it was written by another program just now; pull again");
    }
    state.posts.set(post.id, { version: post.version, hash: hashOf(text), ...(isHeld && { isHeld }) });
    report.tell(isSame ? "unchanged" : before === null ? "new" : "updated", name);
  }
}

/** Whether the server may have something that the file does not. */
function isWorthReading(local: LocalFile, head: PostHead, state: FolderState): boolean {
  const known = state.posts.get(head.id);
  return !known || known.version !== head.version || known.isHeld === true || local.file!.post!.version !== head.version;
}

/** Nothing is deleted here either: what is in the trash today may be restored tomorrow. */
function tellMissing(heads: readonly PostHead[], byId: ReadonlyMap<string, LocalFile>, report: Report): void {
  const present = new Set(heads.map(({ id }) => id));
  for (const [id, { name }] of byId) if (!present.has(id)) report.tell("kept", name, "its post is in the trash or deleted");
}
