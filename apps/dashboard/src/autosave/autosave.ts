import { ApiProblem, messageOf } from "../lib/problem.ts";
import type { Desk, DeskSnapshot, Transport } from "./autosave-types.ts";
import { keysOf, only, type OpenedPost } from "./content.ts";
import { createGround } from "./edited-post.ts";
import { meet } from "./merge-edits.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { type Refusals, refusalsIn, refusalsOf, withoutRefused } from "./refusals.ts";
import type { Conflict, SaveState } from "./save-state.ts";
import { giveWay } from "./save-theirs-over-mine.ts";
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
  const ground = createGround(options.post);
  const { edits } = ground;
  const turns = oneAtATime();
  const listeners = new Set<() => void>();
  let refused: Refusals = {};
  let state: SaveState = { phase: "saved" };
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

  /** In this browser, in case the page never reaches the server again. */
  function keep(): boolean {
    const entry = ground.unsent();
    if (entry) return unsent.put({ ...entry, at: new Date(clock.now()).toISOString() });
    unsent.clear();
    return true;
  }

  /** The server's present post becomes the ground to work on, unless both sides changed the same. */
  function stand(theirs: OpenedPost): boolean {
    const keys = ground.meet(theirs);
    if (keys.length > 0) emit({ phase: "conflict", conflict: { theirs, keys } });
    return keys.length === 0;
  }

  function fail(problem: ApiProblem): void {
    if (!isPassing(problem)) return emit({ phase: "stopped", message: messageOf(problem), code: problem.code });
    emit({ phase: "waiting", message: problem.message, code: problem.code, keptHere: keep() });
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
      const patch = withoutRefused(edits.resolve(ground.post.working), refused);
      if (keysOf(patch).length === 0 && (autosave || !revisionDue)) return;
      ground.begin(patch);
      emit({ phase: "saving" });
      try {
        const answer = await transport.save(patch, { expectedVersion: ground.post.version, autosave, keepalive: false });
        ground.acknowledge(answer, patch);
        retries.succeeded();
        revisionDue = autosave;
        // What was typed meanwhile waits for its own pause, which began when it was typed.
        return;
      } catch (error) {
        ground.giveBack(patch);
        if (!(error instanceof ApiProblem)) throw error;
        if (error.status === 0 || error.status >= 500) ground.mayHaveArrived(patch);
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
    fail(new ApiProblem({ status: 503, code: "UNAVAILABLE", detail: "Someone else is saving this post right now." }));
  }

  /** What to say once no request is under way. */
  function settleState(): void {
    if (["conflict", "stopped", "waiting"].includes(state.phase) && !edits.isEmpty) return;
    keep();
    const unsaved: readonly string[] = keysOf(edits.resolve(ground.post.working));
    const errors = refusalsOf(refused, (key) => unsaved.includes(key));
    if (Object.keys(errors).length > 0) emit({ phase: "refused", errors });
    else emit({ phase: edits.isEmpty ? "saved" : "edited" });
  }

  function touched(): void {
    if (state.phase !== "conflict" && state.phase !== "stopped" && state.phase !== "waiting" && !ground.isSending)
      state = { phase: "edited" };
    emit();
    pause.touch();
  }

  function requireSaved(): void {
    if (state.phase === "refused") throw new Error(`Not everything is saved: ${Object.values(state.errors).join("; ")}`);
    if (state.phase === "saved" || state.phase === "edited") return;
    throw new Error("Your latest changes are not saved yet. Try again once they are.");
  }

  function conflictNow(): Conflict {
    if (state.phase !== "conflict") throw new Error("There is no conflict.");
    return state.conflict;
  }

  const desk: Desk = {
    snapshot: () => (snapshot ??= { post: ground.post, content: ground.content(), bodyEpoch: ground.bodyEpoch, save: state }),
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
    body: () => ground.body(),
    flush: () => now(true),
    save: () => now(false),
    async act(run, { readAgain = false, evenUnsaved = false } = {}) {
      // Twice: something may have been typed while the first was under way.
      for (let times = 0; times < 2 && !evenUnsaved && (!edits.isEmpty || turns.running); times += 1) await pump(true);
      if (!evenUnsaved) requireSaved();
      try {
        return await turns.run(async () => {
          const answer = await run(ground.post.version);
          if (readAgain) stand(await transport.load());
          else ground.acknowledge(answer, {});
          retries.succeeded();
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
        if (theirs && theirs.version > ground.post.version && stand(theirs)) emit();
      });
      if (!edits.isEmpty) pause.touch();
    },
    retry() {
      if (state.phase === "waiting" || state.phase === "stopped") void now(true);
    },
    takeUp(entry) {
      const { left, clashes } = meet(entry.patch, entry.before, ground.post.working);
      if (left.length === 0) return "nothing";
      edits.set(only(entry.patch, left));
      ground.showBody();
      if (clashes.length > 0) emit({ phase: "conflict", conflict: { theirs: ground.post, keys: clashes } });
      else touched();
      keep();
      return clashes.length > 0 ? "conflict" : "restored";
    },
    async keepMine() {
      ground.adopt(conflictNow().theirs);
      emit({ phase: "edited" });
      await pump(false);
    },
    async takeTheirs() {
      const conflict = conflictNow();
      await turns.run(async () => {
        const answer = await giveWay(transport, only(ground.dirty(), conflict.keys), conflict);
        if ("theirs" in answer) {
          emit({ phase: "conflict", conflict: answer });
          throw new Error("The post changed again. This is the latest version: choose again.");
        }
        edits.drop(conflict.keys);
        ground.adopt(conflict.theirs);
        ground.acknowledge(answer, { body: conflict.theirs.working.body });
        retries.succeeded();
        ground.showBody();
        state = { phase: "edited" };
      });
      settleState();
      if (!edits.isEmpty) await pump(true);
    },
    hide() {
      const patch = ground.dirty();
      if (keysOf(patch).length === 0) return;
      keep();
      if (state.phase === "conflict" || state.phase === "stopped") return;
      const sendable = withoutRefused(patch, refused);
      if (new TextEncoder().encode(JSON.stringify(sendable)).length > MOST_SENT_WHILE_CLOSING) return;
      ground.mayHaveArrived(sendable);
      transport.save(sendable, { expectedVersion: ground.post.version, autosave: true, keepalive: true }).catch(() => {});
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
