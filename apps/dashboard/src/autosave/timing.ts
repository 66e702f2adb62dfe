/** The time that autosave goes by; tests pass a clock of their own. */
export interface Clock {
  now(): number;
  /** Calls `run` after so many milliseconds; returns how to cancel that. */
  after(millis: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(millis, run) {
    const timer = setTimeout(run, millis);
    return () => clearTimeout(timer);
  },
};

/** A save waits for a pause in the typing, up to a limit. */
const PAUSE_MILLIS = 1_000;
const MAX_WAIT_MILLIS = 5_000;

export interface Pause {
  /** Call at every edit: the pause starts again. */
  restart(): void;
  cancel(): void;
}

export function createPause(clock: Clock, onPause: () => void): Pause {
  let since: number | null = null;
  let stopTimer: (() => void) | null = null;
  const cancel = () => {
    stopTimer?.();
    stopTimer = null;
    since = null;
  };
  return {
    cancel,
    restart() {
      stopTimer?.();
      since ??= clock.now();
      const wait = Math.max(0, Math.min(PAUSE_MILLIS, since + MAX_WAIT_MILLIS - clock.now()));
      stopTimer = clock.after(wait, () => {
        cancel();
        onPause();
      });
    },
  };
}

const FIRST_RETRY_MILLIS = 1_000;
const LAST_RETRY_MILLIS = 30_000;

export interface Retries {
  /** Tries again after a wait that doubles with every failure in a row. */
  schedule(): void;
  cancel(): void;
  /** Call after a success: the next wait is a short one. */
  reset(): void;
  readonly isWaiting: boolean;
}

export function createRetries(clock: Clock, tryAgain: () => void): Retries {
  let failures = 0;
  let stopTimer: (() => void) | null = null;
  const cancel = () => {
    stopTimer?.();
    stopTimer = null;
  };
  return {
    cancel,
    schedule() {
      cancel();
      stopTimer = clock.after(Math.min(FIRST_RETRY_MILLIS * 2 ** failures, LAST_RETRY_MILLIS), () => {
        stopTimer = null;
        tryAgain();
      });
      failures += 1;
    },
    reset() {
      failures = 0;
    },
    get isWaiting() {
      return stopTimer !== null;
    },
  };
}
