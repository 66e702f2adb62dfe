/** Does the work for all, a few at a time. After an error nothing more is begun, and it is thrown once what had begun has ended. */
export async function inParallel<T>(items: readonly T[], atATime: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, worker));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
