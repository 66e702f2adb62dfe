import { availableParallelism } from "node:os";
import { fail } from "#domain/failure";
import { createLine, type LineRule } from "#domain/line";
import { SECOND } from "#domain/time";
import type { ImageDefect, ImageProcessor, InspectedImage } from "#ports/image-processor";
import { type DecodingProcess, startDecodingProcess } from "./decoding-process.ts";
import type { Answer, Job } from "./job.ts";

export interface ImageProcessorOptions {
  /** Images that are decoded at the same time, each in a process of its own. */
  readonly processes?: number;
  /** Images that wait for their turn; more are refused. */
  readonly mostWaiting?: number;
  /** How long one image may take. */
  readonly mostMillis?: number;
  /** How long a process without work is kept. */
  readonly idleMillis?: number;
}

export interface OpenedImageProcessor extends ImageProcessor {
  /** Processes there are now, for tests. */
  pids(): readonly number[];
  close(): Promise<void>;
}

/** Originals that are read from stores of websites' owners, of one website and in all. Such a store may take 20 seconds for each. */
const READERS: LineRule = { atWork: 2, atWorkInAll: 16, waiting: 32, waitingInAll: 256 };

/** Starts processes when there is work for them, never more than there are processors. */
export function openImageProcessor(options: ImageProcessorOptions = {}): OpenedImageProcessor {
  const { processes = availableParallelism(), mostWaiting = 64, mostMillis = 10 * SECOND, idleMillis = 30 * SECOND } = options;
  const alive = new Set<DecodingProcess>();
  const idle: { readonly process: DecodingProcess; readonly timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  let running = 0;
  // Whoever has read an image keeps the place until it is decoded: that bounds the memory.
  const readers = createLine(READERS, "images");

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= processes) {
      if (waiting.length >= mostWaiting) {
        throw fail("UNAVAILABLE", "Too many images are being processed right now. Try again in a few seconds.", { retryAfterSeconds: 5 });
      }
      // The one who leaves hands over the turn, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  async function take(): Promise<DecodingProcess> {
    const rested = idle.pop();
    if (rested) {
      clearTimeout(rested.timer);
      return rested.process;
    }
    const started = await startDecodingProcess();
    alive.add(started);
    return started;
  }

  function end(process: DecodingProcess): void {
    alive.delete(process);
    process.end();
  }

  function putBack(process: DecodingProcess): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.process === process),
        1,
      );
      end(process);
    }, idleMillis);
    timer.unref();
    idle.push({ process, timer });
  }

  async function once(job: Job): Promise<Answer | "lost"> {
    const process = await take();
    const answer = await process.run(job, mostMillis);
    if (answer === "lost" || answer === "too costly") end(process);
    else putBack(process);
    return answer;
  }

  async function run(job: Job): Promise<Answer> {
    const answer = await once(job);
    if (answer !== "lost") return answer;
    // Somebody may have ended the process: the image is at fault only if it ends a second one.
    const again = await once(job);
    return again === "lost" ? "damaged" : again;
  }

  return {
    inspect: (bytes) => inTurn(() => run({ bytes, variant: null, edit: null }) as Promise<InspectedImage | ImageDefect>),
    async makeVariant({ read, ownStoreOf }, variant, edit) {
      const make = async (bytes: Uint8Array | null) => bytes && ((await run({ bytes, variant, edit })) as Uint8Array | ImageDefect);
      if (ownStoreOf === null) return inTurn(async () => make(await read()));
      const leave = await readers(ownStoreOf);
      try {
        const bytes = await read();
        return await inTurn(() => make(bytes));
      } finally {
        leave();
      }
    },
    pids: () => [...alive].flatMap(({ pid }) => pid ?? []),
    async close() {
      for (const { timer } of idle) clearTimeout(timer);
      for (const process of alive) process.end();
    },
  };
}
