/**
 * Lets work in one at a time per name, and at most `width` at once in all. Without it, everyone waiting for a row would
 * hold a connection of the pool, and the one they wait for could find none left to finish with.
 */
export function oneAtATime(width: number): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let free = width;

  async function enter(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((admit) => waiting.push(admit));
  }

  function leave(): void {
    const next = waiting.shift();
    // The place is handed over, not freed: nobody can slip in between.
    if (next) next();
    else free += 1;
  }

  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const turn = before.then(async () => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    });
    const settled = turn.then(
      () => {},
      () => {},
    );
    last.set(name, settled);
    try {
      return await turn;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}
