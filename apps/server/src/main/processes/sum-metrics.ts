/** What is the same for all processes, or tells of the worst of them. */
const LARGEST = /^stet_(?:event_loop_lag|clock_offset|disk_|jobs_running|rate_nodes)/;
const SMALLEST = /^(?:process_start_time_seconds|stet_rate_ledger_up)/;

/** The numbers of several processes as those of one: counters and sizes are summed. */
export function sumMetrics(texts: readonly string[]): string {
  const lines: string[] = [];
  const at = new Map<string, number>();
  const values = new Map<string, number>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const sample = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line);
    const name = sample?.[1] ?? line;
    if (line === "") continue;
    if (!at.has(name)) at.set(name, lines.push(line) - 1);
    if (!sample) continue;
    const value = Number(sample[2]);
    const before = values.get(name);
    values.set(name, before === undefined ? value : together(name, before, value));
  }
  for (const [name, value] of values) lines[at.get(name)!] = `${name} ${Number(value.toFixed(6))}`;
  return `${lines.join("\n")}\n`;
}

function together(name: string, a: number, b: number): number {
  if (LARGEST.test(name)) return Math.max(a, b);
  return SMALLEST.test(name) ? Math.min(a, b) : a + b;
}
