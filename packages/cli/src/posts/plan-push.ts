import { changesOf } from "./compare.ts";
import { describeConflict, isConflict } from "./conflict.ts";
import { hashOf, type LocalFile, readFolder } from "./folder.ts";
import { inParallel } from "./in-parallel.ts";
import type { PostContent } from "./post-file.ts";
import { readPost, readWebsite } from "./remote-posts.ts";
import type { Report } from "./report.ts";
import { type FolderState, writeState } from "./state.ts";

/** What pushing a file will do. */
export interface PushStep {
  readonly name: string;
  readonly text: string;
  readonly content: Partial<PostContent>;
  /** The post to change, with the version that the file is based on; null for a new one. */
  readonly post: { readonly id: string; readonly version: number; readonly status: string } | null;
  readonly waitsForReview: boolean;
}

const AT_A_TIME = 4;

/** Compares the files that were edited with the server, and saves nothing there. A file that is missing says nothing about its post. */
export async function planPush(folder: string, state: FolderState, report: Report): Promise<readonly PushStep[]> {
  const locals = await readFolder(folder);
  const edited = locals.filter((local) => {
    if (local.problem !== null) report.tell("problem", local.name, local.problem);
    const known = local.file?.post && state.posts.get(local.file.post.id);
    const isEdited = local.file !== null && known?.hash !== hashOf(local.text!);
    if (local.file && !isEdited) report.tell("unchanged", local.name);
    return isEdited;
  });
  if (edited.length === 0) return [];
  const { changesToPublishedPostsWaitForReview: isHeld } = await readWebsite(state.website);
  const steps = new Map<string, PushStep>();
  await inParallel(edited, AT_A_TIME, async (local) => {
    const step = await planFile(local, state, report);
    if (step) steps.set(local.name, { ...step, waitsForReview: isHeld && step.post !== null && step.post.status !== "draft" });
  });
  // What was found to be the same needs not be asked for again.
  if (state.posts.size > 0) await writeState(folder, state);
  return edited.flatMap(({ name }) => steps.get(name) ?? []);
}

async function planFile(
  { name, text, file }: LocalFile,
  state: FolderState,
  report: Report,
): Promise<Omit<PushStep, "waitsForReview"> | null> {
  const { post: based, content } = file!;
  if (!based) {
    if (content.title) return { name, text: text!, content, post: null };
    report.tell("problem", name, "a new post needs a title");
    return null;
  }
  const post = await readPost(state.website, based.id);
  if (!post || post.status === "deleted") {
    report.tell(
      "problem",
      name,
      post ? "its post is in the trash; restore it first" : "its post is not on this website. For a new post, remove id and version",
    );
    return null;
  }
  const changes = changesOf(content, post);
  if (Object.keys(changes).length === 0) {
    if (based.version === post.version) state.posts.set(post.id, { version: post.version, hash: hashOf(text!) });
    if (based.version === post.version) report.tell("unchanged", name);
    else report.tell("kept", name, `the same as on the server, where it is version ${post.version}; pull before you edit it`);
    return null;
  }
  if (isConflict(file!, post, state.posts.get(post.id))) {
    const { words, details } = describeConflict(file!, post);
    report.tell("conflict", name, words, details);
    return null;
  }
  return { name, text: text!, content: changes, post };
}

export function describePlan({ name, content, post, waitsForReview }: PushStep): string {
  if (!post) return `to create  ${name}: as a draft`;
  const seen = waitsForReview
    ? "; waits until a person accepts it"
    : post.status === "published"
      ? "; readers see it once it is published"
      : "";
  return `to update  ${name}: ${Object.keys(content).join(", ")} (${post.status}${seen})`;
}
