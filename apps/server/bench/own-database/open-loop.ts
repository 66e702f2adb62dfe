import { Agent, request } from "node:http";

/** Readers who come when they come, whether or not those before them were answered: so many a second, each from another website in turn. */
export interface OpenLoad {
  readonly port: number;
  readonly keys: readonly string[];
  readonly perSecond: number;
  readonly millis: number;
  /** No two requests of a run ask for the same, so that nothing comes from a cache: the first has this number. */
  readonly first: number;
}

export interface OpenMeasured {
  /** From when each was due to its last byte, in milliseconds. */
  readonly times: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}

const SORTS = ["-publishedAt", "publishedAt", "-updatedAt", "updatedAt", "title", "-title"];
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

process.on("message", (load: OpenLoad) => void run(load).then((measured) => process.send?.(measured)));

async function run({ port, keys, perSecond, millis, first }: OpenLoad): Promise<OpenMeasured> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const answers: Promise<void>[] = [];
  const started = performance.now();
  const total = Math.floor((perSecond * millis) / 1_000);
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - started) * perSecond) / 1_000));
      while (answers.length < due) {
        const n = first + answers.length;
        const at = started + (answers.length * 1_000) / perSecond;
        const variant = Math.floor(n / keys.length);
        const path = `/v1/blog/posts?limit=${1 + (variant % 100)}&sort=${SORTS[Math.floor(variant / 100) % SORTS.length]}`;
        answers.push(
          ask(port, path, keys[n % keys.length]!).then((status) => {
            times.push(performance.now() - at);
            statuses[status] = (statuses[status] ?? 0) + 1;
          }),
        );
      }
      if (due < total) return;
      clearInterval(timer);
      resolve();
    }, 2);
  });
  await Promise.all(answers);
  return { times, statuses };
}

function ask(port: number, path: string, key: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ port, path, agent, headers: { Authorization: `Bearer ${key}` } }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", () => resolve(0)).end();
  });
}
