import { ApiProblem, messageOf } from "../lib/problem.ts";
import type { Autosave, AutosaveSnapshot, Transport } from "./autosave-types.ts";
import { keysOf, only, type ServerPost } from "./content.ts";
import { createEditedPost } from "./edited-post.ts";
import { mergeEdits } from "./merge-edits.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { isTemporary, type Refusals, refusalsIn, refusalsOf, withoutRefused } from "./refusals.ts";
import { changedMeanwhile, type Conflict, requireSaved, type SaveState } from "./save-state.ts";
import { saveTheirsOverMine } from "./save-theirs-over-mine.ts";
import { type Clock, createPause, createRetries } from "./timing.ts";
import type { UnsentStore } from "./unsent.ts";

/** Browsers let a closing page send about 64 KB; a little is left for the other fields. */
const MAX_KEEPALIVE_BYTES = 60_000;
/** How often a save is repeated on a newer post, if others keep saving between our reading and our saving. */
const MAX_REBASES = 5;

/** Saves the edits of one post that is open in one tab. At most one request runs at any time. */
export function createAutosave(options: { post: ServerPost; transport: Transport; unsent: UnsentStore; clock: Clock }): Autosave {
  const { transport, unsent, clock } = options;
  const edited = createEditedPost(options.post);
  const { edits } = edited;
  const queue = oneAtATime();
  const listeners = new Set<() => void>();
  let refused: Refusals = {};
  let state: SaveState = { phase: "saved" };
  let revisionDue = false;
  // A version of its own was asked for and is not saved yet: a later try must not fold it into the one before, which may be another tab's.
  let versionAsked = false;
  let keptHere = true;
  let closed = false;
  let snapshot: AutosaveSnapshot | null = null;

  const retries = createRetries(clock, () => void sendEdits(true));
  const pause = createPause(clock, () => {
    storeUnsent();
    const go = () => {
      if (!retries.isWaiting && state.phase !== "stopped") void sendEdits(true);
    };
    if (queue.running) void queue.running.then(go, go);
    else go();
  });

  function emit(next?: SaveState): void {
    if (next) state = next;
    snapshot = null;
    for (const listener of listeners) listener();
  }

  /** Stores the edits in this browser, in case this tab never reaches the server again. */
  function storeUnsent(): void {
    const entry = edited.unsent(state.phase === "conflict" ? state.conflict.keys : []);
    const before = keptHere;
    keptHere = !entry || unsent.put({ ...entry, at: new Date(clock.now()).toISOString() });
    if (!entry) unsent.clear();
    if (keptHere !== before) emit();
  }

  /** Makes the newer post of the server the base of the edits. False: both sides changed the same fields. */
  function rebase(theirs: ServerPost): boolean {
    const keys = edited.rebase(theirs);
    if (keys.length > 0) emit({ phase: "conflict", conflict: { theirs, keys } });
    return keys.length === 0;
  }

  function fail(problem: ApiProblem): void {
    if (!isTemporary(problem)) return emit({ phase: "stopped", message: messageOf(problem), code: problem.code });
    const passesSoon = problem.code === "CONTENT_STORE_UNAVAILABLE" && problem.facts.reason !== undefined;
    storeUnsent();
    emit({ phase: "waiting", message: problem.message, code: problem.code, passesSoon });
    if (!closed) retries.schedule();
  }

  async function sendEdits(isAutosave: boolean): Promise<void> {
    pause.cancel();
    await queue.run(async () => {
      versionAsked ||= !isAutosave;
      if (state.phase !== "conflict") await sendUntilSaved();
    });
    updateState();
  }

  async function saveNow(isAutosave: boolean): Promise<void> {
    retries.cancel();
    storeUnsent();
    await sendEdits(isAutosave);
  }

  /** Sends once, and again after every rebase on a newer post, until the edits are saved or cannot be saved now. */
  async function sendUntilSaved(): Promise<void> {
    for (let rebases = 0; rebases < MAX_REBASES;) {
      const patch = withoutRefused(edited.unacknowledged(), refused);
      const isAutosave = !versionAsked;
      if (keysOf(patch).length === 0 && (isAutosave || !revisionDue)) return void (versionAsked = false);
      edited.startSending(patch);
      emit({ phase: "saving" });
      try {
        const answer = await transport.save(patch, { expectedVersion: edited.base.version, autosave: isAutosave, keepalive: false });
        edited.acknowledge(answer, patch);
        retries.reset();
        revisionDue = isAutosave;
        versionAsked = false;
        // Edits made meanwhile wait for their own pause, which began when they were typed.
        return;
      } catch (error) {
        edited.restoreEdits(patch);
        if (!(error instanceof ApiProblem)) throw error;
        if (error.status === 0 || error.status >= 500) edited.rememberUnanswered(patch);
        if (error.code !== "VERSION_CONFLICT") {
          const refusals = refusalsIn(error, patch);
          refused = { ...refused, ...refusals };
          if (Object.keys(refusals).length > 0) continue;
          fail(error);
          // Someone moved the post to the trash meanwhile: the page should show that.
          if (error.code === "INVALID_TRANSITION") await transport.load().then(rebase, () => {});
          return;
        }
        rebases += 1;
        const theirs = await transport.load().catch((problem: unknown) => problem);
        if (theirs instanceof ApiProblem) return fail(theirs);
        if (!rebase(theirs as ServerPost)) return;
      }
    }
    fail(new ApiProblem({ status: 503, code: "UNAVAILABLE", detail: "Someone else is saving this post right now." }));
  }

  /** Sets the state once no request is running. */
  function updateState(): void {
    if (["conflict", "stopped", "waiting"].includes(state.phase) && !edits.isEmpty) return;
    storeUnsent();
    const unsaved: readonly string[] = keysOf(edited.unacknowledged());
    const errors = refusalsOf(refused, (key) => unsaved.includes(key));
    if (Object.keys(errors).length > 0) emit({ phase: "refused", errors });
    else emit({ phase: edits.isEmpty ? "saved" : "edited" });
  }

  function onEdit(): void {
    if (state.phase !== "conflict" && state.phase !== "stopped" && state.phase !== "waiting" && !edited.isSending)
      state = { phase: "edited" };
    emit();
    pause.restart();
  }

  function conflictNow(): Conflict {
    if (state.phase !== "conflict") throw new Error("There is no conflict.");
    return state.conflict;
  }

  const autosave: Autosave = {
    snapshot: () => (snapshot ??= { post: edited.base, content: edited.content(), bodyEpoch: edited.bodyEpoch, save: state, keptHere }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(patch) {
      edits.set(patch);
      refused = refusalsOf(refused, (key) => !(key in patch));
      onEdit();
    },
    changeBody(read) {
      edits.setBody(read);
      refused = refusalsOf(refused, (key) => key !== "body");
      onEdit();
    },
    readBodyNow: () => edits.readBodyNow(),
    body: () => edited.body(),
    flush: () => saveNow(true),
    save: () => saveNow(false),
    async runAction(run, { readAgain = false, evenUnsaved = false } = {}) {
      const seen = edited.othersChanges;
      // Twice, because something may have been typed during the first save.
      for (let times = 0; times < 2 && !evenUnsaved && (!edits.isEmpty || queue.running); times += 1) await sendEdits(true);
      if (!evenUnsaved) requireSaved(state);
      if (edited.othersChanges !== seen) throw changedMeanwhile();
      try {
        return await queue.run(async () => {
          const answer = await run(edited.base.version);
          if (readAgain) rebase(await transport.load());
          else edited.acknowledge(answer, {});
          retries.reset();
          return answer;
        });
      } catch (error) {
        if (error instanceof ApiProblem && error.code === "VERSION_CONFLICT") await autosave.refresh();
        throw error;
      } finally {
        if (evenUnsaved) state = { phase: "edited" };
        updateState();
        if (!edits.isEmpty) pause.restart();
      }
    },
    async refresh() {
      if (queue.running || closed || state.phase === "conflict") return;
      await queue.run(async () => {
        const theirs = await transport.load().catch(() => null);
        if (theirs && theirs.version > edited.base.version && rebase(theirs)) emit();
      });
      if (!edits.isEmpty) pause.restart();
    },
    retry() {
      if (state.phase === "waiting" || state.phase === "stopped") void saveNow(true);
    },
    restore(entry) {
      const { toSave, conflicts } = mergeEdits(entry.patch, entry.before, edited.base.working);
      if (toSave.length === 0) return "nothing";
      edits.set(only(entry.patch, toSave));
      edited.reloadBody();
      if (conflicts.length > 0) emit({ phase: "conflict", conflict: { theirs: edited.base, keys: conflicts } });
      else onEdit();
      storeUnsent();
      return conflicts.length > 0 ? "conflict" : "restored";
    },
    async keepMine() {
      edited.replaceBase(conflictNow().theirs);
      emit({ phase: "edited" });
      await sendEdits(false);
    },
    async takeTheirs() {
      const conflict = conflictNow();
      await queue.run(async () => {
        const answer = await saveTheirsOverMine(transport, only(edited.unacknowledged(), conflict.keys), conflict);
        if ("newer" in answer) {
          // Compared anew: they may have changed more of what is edited here, or nothing any more.
          if (rebase(answer.newer)) {
            emit({ phase: "edited" });
            pause.restart();
          }
          throw new Error("The post changed again. This is the latest version: choose again.");
        }
        edits.drop(conflict.keys);
        edited.replaceBase(conflict.theirs);
        edited.acknowledge(answer.saved, { body: conflict.theirs.working.body });
        retries.reset();
        edited.reloadBody();
        state = { phase: "edited" };
      });
      updateState();
      if (!edits.isEmpty) await sendEdits(true);
    },
    saveOnPageHide() {
      const patch = edited.unacknowledged();
      if (keysOf(patch).length === 0) return;
      storeUnsent();
      if (state.phase === "conflict" || state.phase === "stopped") return;
      const sendable = withoutRefused(patch, refused);
      if (new TextEncoder().encode(JSON.stringify(sendable)).length > MAX_KEEPALIVE_BYTES) return;
      edited.rememberUnanswered(sendable);
      transport.save(sendable, { expectedVersion: edited.base.version, autosave: !versionAsked, keepalive: true }).catch(() => {});
    },
    async close() {
      closed = true;
      retries.cancel();
      if (!edits.isEmpty || queue.running) {
        storeUnsent();
        if (state.phase !== "conflict" && state.phase !== "stopped") await sendEdits(true).catch(() => {});
      }
      pause.cancel();
      listeners.clear();
    },
  };
  return autosave;
}
