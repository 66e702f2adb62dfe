import { connect, type Socket } from "node:net";
import type { Load, Measured } from "./shared.ts";

/**
 * A client that does as little as it can, so that it is the server that is measured: requests are bytes made beforehand, one
 * at a time on each connection, and of an answer only the status and the length are read.
 */
process.on("message", (load: Load) => {
  measure(load).then(
    (measured) => process.send?.(measured),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

const END_OF_HEAD = Buffer.from("\r\n\r\n");
/** Times are counted in steps of 10 µs up to 10 s. */
const STEPS = 1_000_000;

async function measure(load: Load): Promise<Measured> {
  const requests = load.requests.map((request) => Buffer.from(request));
  const times = new Uint32Array(STEPS);
  const statuses: Record<string, number> = {};
  let next = 0;
  let answers = 0;
  let isCounting = false;
  let isOver = false;

  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  const done = Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = 0;
          /** Bytes of the answer still to come; 0: a new one begins. */
          let missing = 0;
          let head: Buffer | null = null;
          const send = () => {
            if (isOver) {
              resolve();
              return;
            }
            sentAt = performance.now();
            socket.write(requests[next++ % requests.length]!);
          };
          const finish = () => {
            answers += 1;
            if (isCounting) times[Math.min(STEPS - 1, Math.floor((performance.now() - sentAt) * 100))]! += 1;
            send();
          };
          socket.on("data", (received) => {
            let chunk = received;
            if (missing === 0) {
              if (head) chunk = Buffer.concat([head, received]);
              const end = chunk.indexOf(END_OF_HEAD);
              if (end === -1) {
                head = chunk;
                return;
              }
              head = null;
              const text = chunk.toString("latin1", 0, end + 2);
              const status = text.slice(9, 12);
              if (isCounting) statuses[status] = (statuses[status] ?? 0) + 1;
              const at = text.indexOf("Content-Length: ");
              const length = at === -1 ? 0 : Number.parseInt(text.slice(at + 16, at + 26), 10);
              missing = end + 4 + length - chunk.length;
            } else missing -= chunk.length;
            if (missing < 0) reject(new Error("The server sent more than an answer."));
            if (missing === 0) finish();
          });
          socket.on("error", reject);
          socket.on("close", () => (isOver ? resolve() : reject(new Error("The server closed a connection."))));
          send();
        }),
    ),
  );
  await pause(load.warmUpMillis);
  isCounting = true;
  const started = performance.now();
  const cpu = process.cpuUsage();
  await Promise.race([pause(load.millis), done]);
  const seconds = (performance.now() - started) / 1_000;
  const used = process.cpuUsage(cpu);
  isCounting = false;
  isOver = true;
  await done;
  for (const socket of sockets) socket.destroy();
  const count = times.reduce((sum, times) => sum + times, 0);
  return {
    answers,
    requestsPerSecond: count / seconds,
    p50Millis: percentile(times, count, 0.5),
    p99Millis: percentile(times, count, 0.99),
    statuses,
    clientBusy: (used.user + used.system) / 1e6 / seconds,
  };
}

function percentile(times: Uint32Array, count: number, share: number): number {
  let seen = 0;
  for (const [step, here] of times.entries()) {
    seen += here;
    if (seen >= count * share) return step / 100;
  }
  return STEPS / 100;
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis));

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}
