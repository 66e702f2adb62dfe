/** Runs the tasks with so many at once; answers how many a second. */
export async function throughput(count: number, atOnce: number, task: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (count / (performance.now() - started)) * 1_000;
}

/** Medians in milliseconds. The tasks take turns, so that whatever else the machine does falls on all of them alike. */
export async function medians(rounds: number, tasks: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times: number[][] = tasks.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, task] of tasks.entries()) {
      const started = performance.now();
      await task();
      times[index]!.push(performance.now() - started);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)]!);
}
