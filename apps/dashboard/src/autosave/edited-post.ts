import { type AnsweredPost, type Content, type ContentKey, keysOf, type OpenedPost, type Patch } from "./content.ts";
import { createEdits, type Edits } from "./edits.ts";
import { type Before, beforeOf, meet, withSent } from "./merge-edits.ts";
import type { Unsent } from "./unsent.ts";

/** What the server holds as far as is known, what was typed on top of it, and what is on its way. */
export interface Ground {
  readonly edits: Edits;
  /** As last heard from the server. */
  readonly post: OpenedPost;
  readonly isSending: boolean;
  /** Rises when the body was replaced from outside. */
  readonly bodyEpoch: number;
  /** The body as it stands in the editor. */
  body(): string;
  /** With everything that was typed, but for the body. */
  content(): Omit<Content, "body">;
  /** Everything not acknowledged, whether under way or not. */
  dirty(): Patch;
  /** The same, to be kept in the browser; null when there is nothing. */
  unsent(): Omit<Unsent, "at"> | null;
  begin(patch: Patch): void;
  acknowledge(answer: AnsweredPost, patch: Patch): void;
  /** A save was not taken; its values count again. */
  giveBack(patch: Patch): void;
  /** Nobody knows whether this arrived. */
  mayHaveArrived(patch: Patch): void;
  /** The server's present post becomes the ground, unless both sides changed the same: then nothing changes, and that is named. */
  meet(theirs: OpenedPost): readonly ContentKey[];
  /** The server's present post becomes the ground, whatever was typed. */
  adopt(theirs: OpenedPost): void;
  /** The editor is to show another body than it does. */
  showBody(): void;
}

export function createGround(opened: OpenedPost): Ground {
  const edits = createEdits();
  let post = opened;
  let sending: Patch | null = null;
  let unanswered: Before = {};
  let bodyEpoch = 0;

  const ground: Ground = {
    edits,
    get post() {
      return post;
    },
    get isSending() {
      return sending !== null;
    },
    get bodyEpoch() {
      return bodyEpoch;
    },
    body: () => edits.body() ?? sending?.body ?? post.working.body,
    content: () => ({ ...post.working, ...sending, ...edits.patchWithoutBody }),
    dirty() {
      if (!sending) return edits.resolve(post.working);
      return { ...sending, ...edits.patchWithoutBody, ...(edits.touchesBody && { body: ground.body() }) };
    },
    unsent() {
      const patch = ground.dirty();
      const keys = keysOf(patch);
      if (keys.length === 0) return null;
      const sent = sending ? withSent(unanswered, sending) : unanswered;
      return { patch, before: beforeOf(keys, post.working, sent), version: post.version };
    },
    begin(patch) {
      edits.drop(keysOf(patch));
      sending = patch;
    },
    acknowledge(answer, patch) {
      sending = null;
      post = { ...post, ...answer, working: { ...answer.working, body: patch.body ?? post.working.body } };
      unanswered = {};
    },
    giveBack(patch) {
      sending = null;
      edits.giveBack(patch);
    },
    mayHaveArrived(patch) {
      unanswered = withSent(unanswered, patch);
    },
    meet(theirs) {
      const mine = ground.dirty();
      const { left, clashes } = meet(mine, beforeOf(keysOf(mine), post.working, unanswered), theirs.working);
      if (clashes.length > 0) return clashes;
      edits.drop(keysOf(mine).filter((key) => !left.includes(key)));
      ground.adopt(theirs);
      return [];
    },
    adopt(theirs) {
      if (!edits.touchesBody && theirs.working.body !== post.working.body) bodyEpoch += 1;
      post = theirs;
      unanswered = {};
    },
    showBody() {
      bodyEpoch += 1;
    },
  };
  return ground;
}
