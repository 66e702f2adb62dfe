/** So many at a time, and so many more in line for a while. */
export interface Slots {
  /** Resolves with what gives the slot back; null: the line is too long, or took too long. */
  take(): Promise<(() => void) | null>;
  readonly isIdle: boolean;
}

export function createSlots(options: { readonly most: number; readonly line: number; readonly patienceMillis: number }): Slots {
  let taken = 0;
  const line = new Set<() => void>();
  const release = () => {
    taken -= 1;
    const [next] = line;
    next?.();
  };
  const give = () => {
    taken += 1;
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };
  return {
    get isIdle() {
      return taken === 0 && line.size === 0;
    },
    async take() {
      if (taken < options.most) return give();
      if (line.size >= options.line) return null;
      return new Promise((resolve) => {
        const leave = () => {
          clearTimeout(timer);
          line.delete(enter);
        };
        const enter = () => {
          leave();
          resolve(give());
        };
        const timer = setTimeout(() => {
          leave();
          resolve(null);
        }, options.patienceMillis);
        line.add(enter);
      });
    },
  };
}
