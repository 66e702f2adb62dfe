import { ApiProblem, messageOf } from "../../../api/problem.ts";
import { type AnsweredPost, type ContentKey, keysOf, only, type OpenedPost, type Patch } from "./content.ts";
import type { Desk, DeskSnapshot, Transport } from "./desk-types.ts";
import { createEdits } from "./edits.ts";
import { beforeOf, meet } from "./meet.ts";
import type { Conflict, SaveState } from "./save-state.ts";
import { backoff, type Clock, createPause } from "./timing.ts";
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
  const listeners = new Set<() => void>();
  let post = options.post;
  let sending: Patch | null = null;
  /** Sent, but nobody knows whether they arrived. */
  let unanswered: Patch[] = [];
  let refused: Partial<Record<ContentKey, string>> = {};
  let state: SaveState = { phase: "saved" };
  let bodyEpoch = 0;
  let failures = 0;
  let callOffRetry: (() => void) | null = null;
  let running: Promise<unknown> | null = null;
  let revisionDue = false;
  let closed = false;
  let snapshot: DeskSnapshot | null = null;

  const pause = createPause(clock, () => {
    keep();
    const go = () => {
      if (!callOffRetry && state.phase !== "stopped") void pump(true);
    };
    if (running) void running.then(go, go);
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
      const sent = sending ? [...unanswered, sending] : unanswered;
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
    if (mine.body === undefined && theirs.working.body !== post.working.body) bodyEpoch += 1;
    post = theirs;
    unanswered = [];
    return true;
  }

  function acknowledge(answer: AnsweredPost, patch: Patch): void {
    post = { ...post, ...answer, working: { ...answer.working, body: patch.body ?? post.working.body } };
    unanswered = [];
    failures = 0;
  }

  function fail(problem: ApiProblem): void {
    if (!isPassing(problem)) return emit({ phase: "stopped", message: messageOf(problem), code: problem.code });
    failures += 1;
    emit({ phase: "waiting", message: problem.message, keptHere: keep() });
    if (closed) return;
    callOffRetry?.();
    callOffRetry = clock.after(backoff(failures), () => {
      callOffRetry = null;
      void pump(true);
    });
  }

  /** Only one thing at a time: whoever comes meanwhile waits. */
  async function exclusively<T>(work: () => Promise<T>): Promise<T> {
    while (running) await running.catch(() => {});
    const mine = work();
    running = mine;
    try {
      return await mine;
    } finally {
      running = null;
    }
  }

  async function pump(autosave: boolean): Promise<void> {
    pause.cancel();
    await exclusively(async () => {
      if (state.phase !== "conflict") await sendAll(autosave);
    });
    settleState();
  }

  async function now(autosave: boolean): Promise<void> {
    callOffRetry?.();
    callOffRetry = null;
    await pump(autosave);
  }

  /** Until nothing is left to send, or nothing more can be done now. */
  async function sendAll(autosave: boolean): Promise<void> {
    let asRevision = !autosave;
    for (let meetings = 0; meetings < MOST_MEETINGS;) {
      const typed = edits.resolve(post.working);
      const patch = only(
        typed,
        keysOf(typed).filter((key) => !(key in refused)),
      );
      if (keysOf(patch).length === 0 && !(asRevision && revisionDue)) return;
      edits.drop(keysOf(patch));
      sending = patch;
      emit({ phase: "saving" });
      try {
        const answer = await transport.save(patch, { expectedVersion: post.version, autosave: !asRevision, keepalive: false });
        sending = null;
        acknowledge(answer, patch);
        revisionDue = !asRevision;
        asRevision = false;
        // What was typed meanwhile waits for its own pause, which began when it was typed.
        if (autosave) return;
      } catch (error) {
        sending = null;
        edits.giveBack(patch);
        if (!(error instanceof ApiProblem)) throw error;
        if (error.status === 0 || error.status >= 500) unanswered.push(patch);
        if (error.code !== "VERSION_CONFLICT") {
          if (refuse(error, patch)) continue;
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

  /** Sets the fields aside that are at fault, so that the others can be saved. */
  function refuse(problem: ApiProblem, patch: Patch): boolean {
    const errors =
      problem.code === "SLUG_TAKEN" ? [{ field: "slug" in patch ? "slug" : "title", message: problem.message }] : problem.errors;
    const named = errors.filter(({ field }) => field.split(".")[0]! in patch);
    for (const { field, message } of named) refused = { ...refused, [field.split(".")[0]!]: `${field} ${message}` };
    return named.length > 0;
  }

  /** What to say once no request is under way. */
  function settleState(): void {
    if (["conflict", "stopped", "waiting"].includes(state.phase) && !edits.isEmpty) return;
    keep();
    const unsaved: readonly string[] = keysOf(edits.resolve(post.working));
    const errors: typeof refused = Object.fromEntries(Object.entries(refused).filter(([key]) => unsaved.includes(key)));
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
      refused = Object.fromEntries(Object.entries(refused).filter(([key]) => !(key in patch)));
      touched();
    },
    changeBody(read) {
      edits.setBody(read);
      refused = Object.fromEntries(Object.entries(refused).filter(([key]) => key !== "body"));
      touched();
    },
    body: bodyNow,
    flush: () => now(true),
    save: () => now(false),
    async act(run, { replacesBody = false, evenUnsaved = false } = {}) {
      if (!evenUnsaved && (!edits.isEmpty || running)) await pump(true);
      if (!evenUnsaved) requireSaved();
      try {
        return await exclusively(async () => {
          const answer = await run(post.version);
          if (replacesBody) stand(await transport.load());
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
      if (running || closed || state.phase === "conflict") return;
      await exclusively(async () => {
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
      const { theirs } = conflictNow();
      post = theirs;
      unanswered = [];
      emit({ phase: "edited" });
      await pump(false);
    },
    async takeTheirs() {
      const { theirs, keys } = conflictNow();
      await exclusively(async () => {
        const mine = dirty();
        const clashing = only(mine, keys);
        const kept = await transport.save(clashing, { expectedVersion: theirs.version, autosave: false, keepalive: false });
        const back = only(theirs.working, keys);
        const answer = await transport.save(back, { expectedVersion: kept.version, autosave: false, keepalive: false });
        edits.drop(keys);
        post = theirs;
        acknowledge(answer, { body: theirs.working.body });
        bodyEpoch += 1;
      });
      state = { phase: "edited" };
      settleState();
      if (!edits.isEmpty) await pump(true);
    },
    hide() {
      const patch = dirty();
      if (keysOf(patch).length === 0) return;
      keep();
      if (state.phase === "conflict" || state.phase === "stopped") return;
      const sendable = only(
        patch,
        keysOf(patch).filter((key) => !(key in refused)),
      );
      if (new TextEncoder().encode(JSON.stringify(sendable)).length > MOST_SENT_WHILE_CLOSING) return;
      unanswered.push(sendable);
      transport.save(sendable, { expectedVersion: post.version, autosave: true, keepalive: true }).catch(() => {});
    },
    async close() {
      closed = true;
      callOffRetry?.();
      callOffRetry = null;
      if (!edits.isEmpty || running) {
        keep();
        if (state.phase !== "conflict" && state.phase !== "stopped") await pump(true).catch(() => {});
      }
      pause.cancel();
      listeners.clear();
    },
  };
  return desk;
}
