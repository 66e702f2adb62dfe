/** Time is an argument, so that tests need not wait. */
export interface Time {
  now(): number;
  /** Ends early, with a rejection, when the signal is aborted. */
  sleep(millis: number, signal: AbortSignal | undefined): Promise<void>;
}

export const REAL_TIME: Time = {
  now: () => Date.now(),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, millis);
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    }),
};
