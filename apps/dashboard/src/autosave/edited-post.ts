import { type SavedPost, type Content, type ContentKey, keysOf, type ServerPost, type Patch, sameValue } from "./content.ts";
import { createEdits, type Edits } from "./edits.ts";
import { type BaseFingerprints, baseFingerprints, mergeEdits, addSent } from "./merge-edits.ts";
import type { Unsent } from "./unsent.ts";

/** A post as the server last sent it (the base), the edits on top of it, and the edits that are being sent. */
export interface EditedPost {
  readonly edits: Edits;
  /** The post as the server last sent it. */
  readonly base: ServerPost;
  readonly isSending: boolean;
  /** Rises when something other than the editor replaced the body. */
  readonly bodyEpoch: number;
  /** Rises when a newer post brought something that was not written here. */
  readonly othersChanges: number;
  /** The body with all edits. */
  body(): string;
  /** The content with all edits, without the body. */
  content(): Omit<Content, "body">;
  /** All edits that the server has not acknowledged, including those that are being sent. */
  unacknowledged(): Patch;
  /** The unacknowledged edits as the browser stores them; null when there are none. `undecided`: others changed these fields too, and nobody has chosen yet. */
  unsent(undecided: readonly ContentKey[]): Omit<Unsent, "at"> | null;
  startSending(patch: Patch): void;
  /** The server saved the patch and answered with the post. */
  acknowledge(answer: SavedPost, patch: Patch): void;
  /** A save failed: its patch becomes edits again. */
  restoreEdits(patch: Patch): void;
  /** A patch was sent and not answered: the server may have saved it. */
  rememberUnanswered(patch: Patch): void;
  /** Makes the newer post of the server the base of the edits. With conflicts nothing changes, and the conflicting fields are returned. */
  rebase(theirs: ServerPost): readonly ContentKey[];
  /** Makes the newer post of the server the base and keeps the edits, without a check for conflicts. */
  replaceBase(theirs: ServerPost): void;
  /** Makes the editor load `body()` again. */
  reloadBody(): void;
}

export function createEditedPost(opened: ServerPost): EditedPost {
  const edits = createEdits();
  let base = opened;
  let sending: Patch | null = null;
  let unanswered: BaseFingerprints = {};
  let bodyEpoch = 0;
  let othersChanges = 0;

  const edited: EditedPost = {
    edits,
    get base() {
      return base;
    },
    get isSending() {
      return sending !== null;
    },
    get bodyEpoch() {
      return bodyEpoch;
    },
    get othersChanges() {
      return othersChanges;
    },
    body: () => edits.body() ?? sending?.body ?? base.working.body,
    content: () => ({ ...base.working, ...sending, ...edits.patchWithoutBody }),
    unacknowledged() {
      if (!sending) return edits.resolve(base.working, Object.keys(unanswered) as ContentKey[]);
      return { ...sending, ...edits.patchWithoutBody, ...(edits.touchesBody && { body: edited.body() }) };
    },
    unsent(undecided) {
      const patch = edited.unacknowledged();
      const keys = keysOf(patch);
      if (keys.length === 0) return null;
      const sent = sending ? addSent(unanswered, sending) : unanswered;
      // Without a fingerprint a field is in conflict wherever it is restored: the base may be the very text that was not chosen yet.
      const decided = keys.filter((key) => !undecided.includes(key));
      return { patch, before: baseFingerprints(decided, base.working, sent), version: base.version };
    },
    startSending(patch) {
      edits.drop(keysOf(patch));
      sending = patch;
    },
    acknowledge(answer, patch) {
      sending = null;
      base = { ...base, ...answer, working: { ...answer.working, body: patch.body ?? base.working.body } };
      unanswered = {};
    },
    restoreEdits(patch) {
      sending = null;
      edits.putBack(patch);
    },
    rememberUnanswered(patch) {
      unanswered = addSent(unanswered, patch);
    },
    rebase(theirs) {
      const mine = edited.unacknowledged();
      const { toSave, conflicts } = mergeEdits(mine, baseFingerprints(keysOf(mine), base.working, unanswered), theirs.working);
      if (conflicts.length > 0) return conflicts;
      const isOthers = (key: ContentKey) => !(key in mine) && !sameValue(theirs.working[key], base.working[key]);
      // A slug that follows the title changes with one's own title, too.
      if (keysOf(theirs.working).some((key) => isOthers(key) && !(key === "slug" && theirs.slugFollowsTitle))) othersChanges += 1;
      edits.drop(keysOf(mine).filter((key) => !toSave.includes(key)));
      edited.replaceBase(theirs);
      return [];
    },
    replaceBase(theirs) {
      if (!edits.touchesBody && theirs.working.body !== base.working.body) bodyEpoch += 1;
      base = theirs;
      unanswered = {};
    },
    reloadBody() {
      bodyEpoch += 1;
    },
  };
  return edited;
}
