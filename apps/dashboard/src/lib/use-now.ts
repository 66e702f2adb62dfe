import { useSyncExternalStore } from "react";

const STEP_MILLIS = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((each) => each()), STEP_MILLIS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time in steps of half a minute, so that relative times stay true on a page that is left open. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP_MILLIS) * STEP_MILLIS);
