import { ApiProblem, messageOf } from "../../../api/problem.ts";
import { type AnsweredPost, keysOf, only, type OpenedPost, type Patch } from "./content.ts";
import type { Desk, DeskSnapshot, Transport } from "./desk-types.ts";
import { createEdits } from "./edits.ts";
import { giveWay } from "./give-way.ts";
import { type Before, beforeOf, meet, withSent } from "./meet.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type Refusals, refusalsIn, refusalsOf, withoutRefused } from "./refusals.ts";
import type { Conflict, SaveState } from "./save-state.ts";
import { type Clock, createPause, createRetries } from "./timing.ts";
import type { UnsentStore } from "./unsent.ts";

/** Browsers let a closing page send about 64 KB; a little is left for the other fields. */
const MOST_SENT_WHILE_CLOSING = 60_000;
/** Saves of others that come between our reading and our saving. */
const MOST_MEETINGS = 5;

const isPassing = ({ status }: ApiProblem): boolean => status === 0 || status === 429 || status >= 500;

/** One post on one page: what was typed, and its way to the server. At most one request is under way at any time. */
export function createDesk(options: { post: OpenedPost; transport: Transport; unsent: UnsentStore; clock: Clock }): Desk {
  const { transport, unsent, clock } = options;
  const edits = createEdits();
  const turns = oneAtATime();
  const listeners = new Set<() => void>();
  let post = options.post;
  let sending: Patch | null = null;
  /** Sent, but nobody knows whether they arrived. */
  let unanswered: Before = {};
  let refused: Refusals = {};
  let state: SaveState = { phase: "saved" };
  let bodyEpoch = 0;
  let revisionDue = false;
  let closed = false;
  let snapshot: DeskSnapshot | null = null;

  const retries = createRetries(clock, () => void pump(true));
  const pause = createPause(clock, () => {
    keep();
    const go = () => {
      if (!retries.isWaiting && state.phase !== "stopped") void pump(true);
    };
    if (turns.running) void turns.running.then(go, go);
    else go();
  });

  function emit(next?: SaveState): void {
    if (next) state = next;
    snapshot = null;
    for (const listener of listeners) listener();
  }

  /** Everything not acknowledged, whether under way or not. */
  function dirty(): Patch {
    if (!sending) return edits.resolve(post.working);
    return { ...sending, ...edits.patchWithoutBody, ...(edits.touchesBody && { body: bodyNow() }) };
  }

  const bodyNow = (): string => edits.body() ?? sending?.body ?? post.working.body;

  function keep(): boolean {
    const patch = dirty();
    const keys = keysOf(patch);
    if (keys.length > 0) {
      const sent = sending ? withSent(unanswered, sending) : unanswered;
      const entry = { patch, before: beforeOf(keys, post.working, sent), version: post.version, at: new Date(clock.now()).toISOString() };
      return unsent.put(entry);
    }
    unsent.clear();
    return true;
  }

  /** The server's present post becomes the ground to work on, unless both sides changed the same. */
  function stand(theirs: OpenedPost): boolean {
    const mine = dirty();
    const { left, clashes } = meet(mine, beforeOf(keysOf(mine), post.working, unanswered), theirs.working);
    if (clashes.length > 0) {
      emit({ phase: "conflict", conflict: { theirs, keys: clashes } });
      return false;
    }
    edits.drop(keysOf(mine).filter((key) => !left.includes(key)));
    adopt(theirs);
    return true;
  }

  function adopt(theirs: OpenedPost): void {
    if (!edits.touchesBody && theirs.working.body !== post.working.body) bodyEpoch += 1;
    post = theirs;
    unanswered = {};
  }

  function acknowledge(answer: AnsweredPost, patch: Patch): void {
    post = { ...post, ...answer, working: { ...answer.working, body: patch.body ?? post.working.body } };
    unanswered = {};
    retries.succeeded();
  }

  function fail(problem: ApiProblem): void {
    if (!isPassing(problem)) return emit({ phase: "stopped", message: messageOf(problem), code: problem.code });
    emit({ phase: "waiting", message: problem.message, keptHere: keep() });
    if (!closed) retries.later();
  }

  async function pump(autosave: boolean): Promise<void> {
    pause.cancel();
    await turns.run(async () => {
      if (state.phase !== "conflict") await sendAll(autosave);
    });
    settleState();
  }

  async function now(autosave: boolean): Promise<void> {
    retries.callOff();
    keep();
    await pump(autosave);
  }

  /** Once, or as often as it takes to meet others half way. Until nothing is left to send, or nothing more can be done now. */
  async function sendAll(autosave: boolean): Promise<void> {
    for (let meetings = 0; meetings < MOST_MEETINGS;) {
      const patch = withoutRefused(edits.resolve(post.working), refused);
      if (keysOf(patch).length === 0 && (autosave || !revisionDue)) return;
      edits.drop(keysOf(patch));
      sending = patch;
      emit({ phase: "saving" });
      try {
        const answer = await transport.save(patch, { expectedVersion: post.version, autosave, keepalive: false });
        sending = null;
        acknowledge(answer, patch);
        revisionDue = autosave;
        // What was typed meanwhile waits for its own pause, which began when it was typed.
        return;
      } catch (error) {
        sending = null;
        edits.giveBack(patch);
        if (!(error instanceof ApiProblem)) throw error;
        if (error.status === 0 || error.status >= 500) unanswered = withSent(unanswered, patch);
        if (error.code !== "VERSION_CONFLICT") {
          const refusals = refusalsIn(error, patch);
          refused = { ...refused, ...refusals };
          if (Object.keys(refusals).length > 0) continue;
          fail(error);
          // Moved to the trash meanwhile, or taken away: the page should show it.
          if (error.code === "INVALID_TRANSITION") await transport.load().then(stand, () => {});
          return;
        }
        meetings += 1;
        const theirs = await transport.load().catch((problem: unknown) => problem);
        if (theirs instanceof ApiProblem) return fail(theirs);
        if (!stand(theirs as OpenedPost)) return;
      }
    }
    fail(new ApiProblem({ status: 503, code: "UNAVAILABLE", detail: "Others are saving this post at the same moment." }));
  }

  /** What to say once no request is under way. */
  function settleState(): void {
    if (["conflict", "stopped", "waiting"].includes(state.phase) && !edits.isEmpty) return;
    keep();
    const unsaved: readonly string[] = keysOf(edits.resolve(post.working));
    const errors = refusalsOf(refused, (key) => unsaved.includes(key));
    if (Object.keys(errors).length > 0) emit({ phase: "refused", errors });
    else emit({ phase: edits.isEmpty ? "saved" : "edited" });
  }

  function touched(): void {
    if (state.phase !== "conflict" && state.phase !== "stopped" && state.phase !== "waiting" && !sending) state = { phase: "edited" };
    emit();
    pause.touch();
  }

  function requireSaved(): void {
    if (state.phase === "refused") throw new Error(`Not everything is saved: ${Object.values(state.errors).join("; ")}`);
    if (state.phase === "saved" || state.phase === "edited") return;
    throw new Error("Your latest changes are not saved yet, so nothing was done. Try again when they are.");
  }

  function conflictNow(): Conflict {
    if (state.phase !== "conflict") throw new Error("There is no conflict.");
    return state.conflict;
  }

  const desk: Desk = {
    snapshot: () => (snapshot ??= { post, content: { ...post.working, ...sending, ...edits.patchWithoutBody }, bodyEpoch, save: state }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(patch) {
      edits.set(patch);
      refused = refusalsOf(refused, (key) => !(key in patch));
      touched();
    },
    changeBody(read) {
      edits.setBody(read);
      refused = refusalsOf(refused, (key) => key !== "body");
      touched();
    },
    holdBody: () => edits.hold(),
    body: bodyNow,
    flush: () => now(true),
    save: () => now(false),
    async act(run, { readAgain = false, evenUnsaved = false } = {}) {
      // Twice: something may have been typed while the first was under way.
      for (let times = 0; times < 2 && !evenUnsaved && (!edits.isEmpty || turns.running); times += 1) await pump(true);
      if (!evenUnsaved) requireSaved();
      try {
        return await turns.run(async () => {
          const answer = await run(post.version);
          if (readAgain) stand(await transport.load());
          else acknowledge(answer, {});
          return answer;
        });
      } catch (error) {
        if (error instanceof ApiProblem && error.code === "VERSION_CONFLICT") await desk.refresh();
        throw error;
      } finally {
        if (evenUnsaved) state = { phase: "edited" };
        settleState();
        if (!edits.isEmpty) pause.touch();
      }
    },
    async refresh() {
      if (turns.running || closed || state.phase === "conflict") return;
      await turns.run(async () => {
        const theirs = await transport.load().catch(() => null);
        if (theirs && theirs.version > post.version && stand(theirs)) emit();
      });
      if (!edits.isEmpty) pause.touch();
    },
    retry() {
      if (state.phase === "waiting" || state.phase === "stopped") void now(true);
    },
    takeUp(entry) {
      const { left, clashes } = meet(entry.patch, entry.before, post.working);
      if (left.length === 0) return "nothing";
      edits.set(only(entry.patch, left));
      bodyEpoch += 1;
      if (clashes.length > 0) emit({ phase: "conflict", conflict: { theirs: post, keys: clashes } });
      else touched();
      keep();
      return clashes.length > 0 ? "conflict" : "restored";
    },
    async keepMine() {
      adopt(conflictNow().theirs);
      emit({ phase: "edited" });
      await pump(false);
    },
    async takeTheirs() {
      const conflict = conflictNow();
      await turns.run(async () => {
        const answer = await giveWay(transport, only(dirty(), conflict.keys), conflict);
        if ("theirs" in answer) {
          emit({ phase: "conflict", conflict: answer });
          throw new Error("It was changed once more meanwhile. This is the newest version: decide again.");
        }
        edits.drop(conflict.keys);
        adopt(conflict.theirs);
        acknowledge(answer, { body: conflict.theirs.working.body });
        bodyEpoch += 1;
        state = { phase: "edited" };
      });
      settleState();
      if (!edits.isEmpty) await pump(true);
    },
    hide() {
      const patch = dirty();
      if (keysOf(patch).length === 0) return;
      keep();
      if (state.phase === "conflict" || state.phase === "stopped") return;
      const sendable = withoutRefused(patch, refused);
      if (new TextEncoder().encode(JSON.stringify(sendable)).length > MOST_SENT_WHILE_CLOSING) return;
      unanswered = withSent(unanswered, sendable);
      transport.save(sendable, { expectedVersion: post.version, autosave: true, keepalive: true }).catch(() => {});
    },
    async close() {
      closed = true;
      retries.callOff();
      if (!edits.isEmpty || turns.running) {
        keep();
        if (state.phase !== "conflict" && state.phase !== "stopped") await pump(true).catch(() => {});
      }
      pause.cancel();
      listeners.clear();
    },
  };
  return desk;
}
