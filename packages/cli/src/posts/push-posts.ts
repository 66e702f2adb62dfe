import { createHash } from "node:crypto";
import { callTool, isRefusal } from "../session/call-tool.ts";
import { newPostOf } from "./compare.ts";
import { hashOf, writeLocal } from "./folder.ts";
import type { PushStep } from "./plan-push.ts";
import { setKeys } from "./post-file.ts";
import type { PostHead } from "./remote-posts.ts";
import type { Report } from "./report.ts";
import { type FolderState, writeState } from "./state.ts";

/** Saves one post after the other. What the server refuses is told, and the others go on. */
export async function pushPosts(folder: string, state: FolderState, steps: readonly PushStep[], report: Report): Promise<void> {
  try {
    for (const step of steps) {
      try {
        await pushPost(folder, state, step, report);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (error.code === "VERSION_CONFLICT") report.tell("conflict", step.name, `${error.message} Nothing was overwritten`);
        else report.tell("problem", step.name, error.message);
      }
    }
  } finally {
    await writeState(folder, state);
  }
}

async function pushPost(folder: string, state: FolderState, { name, text, content, post }: PushStep, report: Report): Promise<void> {
  const website = state.website;
  const { post: saved } = post
    ? await callTool<{ post: PostHead }>("update_post", { website, post: post.id, expectedVersion: post.version, ...content })
    : await callTool<{ post: PostHead }>("create_post", { website, ...newPostOf(content), idempotencyKey: keyOf(name, text) });
  // A suggestion leaves the post at its version.
  const isHeld = post !== null && saved.version === post.version;
  const written = isHeld ? text : setKeys(text, saved);
  const wrote = written === text || (await writeLocal(folder, name, written, text).catch((error: Error) => error));
  if (wrote !== true) {
    const why = wrote ? `the file cannot be written (${wrote.message})` : "the file was written by another program just now";
    report.tell("problem", name, `saved on the server, but ${why}; pull before you push it again`);
    return;
  }
  state.posts.set(saved.id, { version: saved.version, hash: hashOf(written), ...(isHeld && { isHeld: true }) });
  if (isHeld) report.tell("in review", name, "a person has to accept it in the dashboard");
  else report.tell(post ? "updated" : "new", name, post ? "" : "a draft");
}

/** The same for the same file: when the answer is lost, pushing it again finds the post that was made. */
const keyOf = (name: string, text: string): string =>
  createHash("sha256")
    .update(JSON.stringify([name, text]))
    .digest("hex");
