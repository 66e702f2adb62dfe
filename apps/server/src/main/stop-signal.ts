/** Ctrl-C reaches us from the terminal and again through npm: only a later one is a second wish. */
const SAME_WISH_MILLIS = 1_500;

/** Resolves with the signal that asks the process to stop. Asked again, it ends at once. */
export function untilAskedToStop(now: () => number = Date.now): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const ask = (signal: NodeJS.Signals): void => {
      first ??= now();
      if (now() - first > SAME_WISH_MILLIS) process.exit(130);
      resolve(signal);
    };
    // SIGHUP: the terminal was closed.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask);
    // tools/run.mjs is gone, or whatever else started us with a channel: nobody could stop us any more.
    process.once("disconnect", () => ask("SIGHUP"));
    process.channel?.unref();
  });
}
