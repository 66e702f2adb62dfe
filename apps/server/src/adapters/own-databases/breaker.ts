export const FIRST_MILLIS = 1_000;
export const LONGEST_MILLIS = 30_000;

/**
 * Keeps callers away from what was found dead a moment ago: for a second, then twice as long each time, half a minute at most. After
 * that one caller tries, and the others are still kept away until it knows.
 */
export interface Breaker {
  /** Null: keep away. Otherwise say afterwards how it went. */
  enter(): { succeeded(): void; failed(): void; left(): void; readonly isOver: boolean; readonly isProbe: boolean } | null;
  readonly isOpen: boolean;
}

export function createBreaker(now: () => number): Breaker {
  let pauseMillis = 0;
  let retryAt = 0;
  let isProbed = false;
  /** Callers that came in before it last opened know nothing new. */
  let generation = 0;
  return {
    get isOpen() {
      return pauseMillis > 0;
    },
    enter() {
      const isProbe = pauseMillis > 0;
      if (isProbe && (isProbed || now() < retryAt)) return null;
      if (isProbe) isProbed = true;
      const entered = generation;
      const settle = (act: () => void) => () => {
        if (entered !== generation) return;
        if (isProbe) isProbed = false;
        act();
      };
      return {
        succeeded: settle(() => {
          pauseMillis = 0;
        }),
        failed: settle(() => {
          generation += 1;
          pauseMillis = Math.min(LONGEST_MILLIS, Math.max(FIRST_MILLIS, pauseMillis * 2));
          retryAt = now() + pauseMillis;
        }),
        left: settle(() => {}),
        /** It was dead when it was last looked at. */
        isProbe,
        /** Somebody else found out meanwhile that it is dead. */
        get isOver() {
          return entered !== generation;
        },
      };
    },
  };
}
