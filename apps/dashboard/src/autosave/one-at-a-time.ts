export interface OneAtATime {
  /** Runs `work` when nothing else runs. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The work that runs now, or null. */
  readonly running: Promise<unknown> | null;
}

export function oneAtATime(): OneAtATime {
  let running: Promise<unknown> | null = null;
  return {
    get running() {
      return running;
    },
    async run(work) {
      while (running) await running.catch(() => {});
      const mine = work();
      running = mine;
      try {
        return await mine;
      } finally {
        running = null;
      }
    },
  };
}
