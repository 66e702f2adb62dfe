import { changesOf, describeDifferences } from "./compare.ts";
import { hashOf } from "./folder.ts";
import { type PostFile, writePostFile } from "./post-file.ts";
import { contentOf, type RemotePost } from "./remote-posts.ts";
import type { Known } from "./state.ts";

/**
 * Whether somebody changed what is in the file since it was pulled. Publishing makes a version too, but then the post still gives the file that
 * was pulled, to the byte. A file that its owner arranged differently never does: there a new version alone is a conflict.
 */
export function isConflict(file: PostFile, post: RemotePost, known: Known | undefined): boolean {
  if (file.post?.version === post.version) return false;
  if (!known || known.version !== file.post?.version) return true;
  return hashOf(writePostFile({ id: post.id, version: known.version }, contentOf(post))) !== known.hash;
}

/** Both sides of a conflict, and how to end it. Nothing is merged behind anybody's back. */
export const describeConflict = (file: PostFile, post: RemotePost): { readonly words: string; readonly details: readonly string[] } => ({
  words: `changed on the server since you pulled it (version ${post.version} there, ${file.post?.version} here); neither was overwritten`,
  details: [
    ...describeDifferences(changesOf(file.content, post), post),
    `    To keep yours, write version: ${post.version} in the file and push. To take the server's, delete the file and pull.`,
  ],
});
