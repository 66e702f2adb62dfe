/** Time as the desk sees it; tests have their own. */
export interface Clock {
  now(): number;
  /** Runs it after so many milliseconds; answers how to call it off. */
  after(millis: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(millis, run) {
    const timer = setTimeout(run, millis);
    return () => clearTimeout(timer);
  },
};

/** A save waits for a pause in the typing, but not for ever. */
const IDLE_MILLIS = 1_000;
const LONGEST_MILLIS = 5_000;

export interface Pause {
  /** Something was typed. */
  touch(): void;
  cancel(): void;
}

export function createPause(clock: Clock, onPause: () => void): Pause {
  let since: number | null = null;
  let callOff: (() => void) | null = null;
  const cancel = () => {
    callOff?.();
    callOff = null;
    since = null;
  };
  return {
    cancel,
    touch() {
      callOff?.();
      since ??= clock.now();
      const wait = Math.max(0, Math.min(IDLE_MILLIS, since + LONGEST_MILLIS - clock.now()));
      callOff = clock.after(wait, () => {
        cancel();
        onPause();
      });
    },
  };
}

const FIRST_RETRY_MILLIS = 1_000;
const LAST_RETRY_MILLIS = 30_000;

export interface Retries {
  /** Tries again, after a pause that is longer with every failure in a row. */
  later(): void;
  callOff(): void;
  /** It worked: the next pause is a short one. */
  succeeded(): void;
  readonly isWaiting: boolean;
}

export function createRetries(clock: Clock, tryAgain: () => void): Retries {
  let failures = 0;
  let cancel: (() => void) | null = null;
  const callOff = () => {
    cancel?.();
    cancel = null;
  };
  return {
    callOff,
    later() {
      callOff();
      cancel = clock.after(Math.min(FIRST_RETRY_MILLIS * 2 ** failures, LAST_RETRY_MILLIS), () => {
        cancel = null;
        tryAgain();
      });
      failures += 1;
    },
    succeeded() {
      failures = 0;
    },
    get isWaiting() {
      return cancel !== null;
    },
  };
}
