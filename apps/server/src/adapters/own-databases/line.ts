/** Waits in turn for something that is given back now and then. */
export interface Line {
  /** True: it is this one's turn to look again. False: it took too long. */
  wait(millis: number): Promise<boolean>;
  wakeOne(): void;
}

export function createLine(): Line {
  const line = new Set<() => void>();
  return {
    wait: (millis) =>
      new Promise((resolve) => {
        const leave = (isTurn: boolean) => {
          clearTimeout(timer);
          line.delete(wake);
          resolve(isTurn);
        };
        const wake = () => leave(true);
        const timer = setTimeout(() => leave(false), millis);
        line.add(wake);
      }),
    wakeOne() {
      const [first] = line;
      first?.();
    },
  };
}
