import type { Signals } from "#ports/signals";
import { TRUST_MILLIS } from "./hub.ts";
import { steadyMillis, type ToChild, type ToParent } from "./messages.ts";

/** How long a change waits for the parent to say that all have heard it, in milliseconds. Without its beats nobody trusts their memory by then. */
const TELL_MILLIS = 2.5 * TRUST_MILLIS;

type Listener = Parameters<Signals["subscribe"]>[0];

/** The serving process's side of changes. */
export interface SiblingSignals extends Signals {
  received(message: ToChild): void;
  /** Called before a request is answered: forgets what may be outdated when the parent was not heard for too long. */
  trustOrForget(): void;
}

export function createSiblingSignals(send: (message: ToParent) => void, now: () => number = steadyMillis): SiblingSignals {
  const listeners = new Set<Listener>();
  const waiting = new Map<number, () => void>();
  let lastId = 0;
  let trustedUntil = 0;
  const tell: Listener = (signal) => {
    for (const listener of listeners) listener(signal);
  };
  return {
    received(message) {
      if (message.type === "beat") {
        trustedUntil = message.sentAt + TRUST_MILLIS;
        send({ type: "alive" });
      } else if (message.type === "hear") {
        tell(message.signal);
        send({ type: "heard", id: message.id });
      } else if (message.type === "told") waiting.get(message.id)?.();
    },
    trustOrForget() {
      if (now() >= trustedUntil) tell("everything");
    },
    tellHere(signal) {
      tell(signal);
      const id = ++lastId;
      return new Promise((resolve) => {
        const done = (): void => {
          waiting.delete(id);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(done, TELL_MILLIS);
        waiting.set(id, done);
        send({ type: "tell", id, signal });
      });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
}
