import type { Signal, Signals } from "#ports/signals";
import { steadyMillis, type ToChild, type ToParent } from "./messages.ts";

/** How long a process may trust what it remembers after its parent's last beat, in milliseconds. A change waits no longer for it. */
export const TRUST_MILLIS = 2_000;

type Listener = Parameters<Signals["subscribe"]>[0];

/** A serving process, as the hub needs it. */
export interface Sibling {
  send(message: ToChild): void;
}

interface Waiting {
  readonly from: Set<Sibling>;
  done(): void;
}

/**
 * The parent's side of changes: every change of a process, of the jobs and of other nodes reaches every process of this one. It is told as
 * heard when each has said so, or can no longer answer from memory without having heard it: a beat never overtakes a change, and
 * without beats nobody trusts their memory (`TRUST_MILLIS`).
 */
export interface Hub extends Signals {
  /** From now on it hears everything. */
  add(sibling: Sibling): void;
  /** It serves: changes wait for it from now on, and it may trust its memory. */
  ready(sibling: Sibling): void;
  /** It is gone: nobody waits for it. */
  remove(sibling: Sibling): void;
  received(sibling: Sibling, message: ToParent): void;
  beat(): void;
}

/** `outside`: changes of other nodes, as the database tells them. */
export function createHub(outside: Signals, { now = steadyMillis, trustMillis = TRUST_MILLIS } = {}): Hub {
  const listeners = new Set<Listener>();
  const siblings = new Set<Sibling>();
  const serving = new Set<Sibling>();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  function tellListeners(signal: Signal | "everything"): void {
    for (const listener of listeners) listener(signal);
  }

  /** Resolves when all but `except` have heard it. */
  function broadcast(signal: Signal | "everything", except: Sibling | null): Promise<void> {
    const id = ++lastId;
    const others = [...siblings].filter((sibling) => sibling !== except);
    const tellAll = (): void => others.forEach((sibling) => sibling.send({ type: "hear", id, signal }));
    const from = new Set(others.filter((sibling) => serving.has(sibling)));
    if (from.size === 0) {
      tellAll();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = (): void => {
        waiting.delete(id);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, trustMillis);
      waiting.set(id, { from, done });
      tellAll();
    });
  }

  function heard(id: number, sibling: Sibling): void {
    const one = waiting.get(id);
    if (one?.from.delete(sibling) && one.from.size === 0) one.done();
  }

  outside.subscribe((signal) => {
    tellListeners(signal);
    void broadcast(signal, null);
  });

  return {
    add: (sibling) => void siblings.add(sibling),
    ready(sibling) {
      serving.add(sibling);
      sibling.send({ type: "beat", sentAt: now() });
    },
    remove(sibling) {
      siblings.delete(sibling);
      serving.delete(sibling);
      for (const id of waiting.keys()) heard(id, sibling);
    },
    received(sibling, message) {
      if (message.type === "heard") heard(message.id, sibling);
      if (message.type !== "tell") return;
      tellListeners(message.signal);
      void broadcast(message.signal, sibling).then(() => sibling.send({ type: "told", id: message.id }));
    },
    beat() {
      const sentAt = now();
      for (const sibling of serving) sibling.send({ type: "beat", sentAt });
    },
    tellHere(signal) {
      tellListeners(signal);
      return broadcast(signal, null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => outside.close(),
  };
}
