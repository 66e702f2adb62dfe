import { Transform, type TransformCallback } from "node:stream";

const HEADER_BYTES = 16;
const OP_QUERY = 2004;
/** A request that is not answered. */
const MORE_TO_COME = 2;
/** How the document of a request for the next part begins, behind its length: the name of the command, and which answer it continues. */
const GET_MORE = Buffer.from("\x12getMore\0");
const GET_MORE_AT = 25;
const HEAD_BYTES = GET_MORE_AT + GET_MORE.length + 8;

/** The requests of one connection that wait for their answer. */
export interface Waiting {
  readonly isAsked: boolean;
  /** The name of the longer answer of which the next one is a part; null: it begins one. */
  readonly continued: string | null;
  asked(continued: string | null): void;
  /** The last byte of an answer came. */
  answered(): void;
  close(): void;
}

/** An answer must be complete in time, however slowly a server drips it: the driver only notices silence. */
export function createWaiting(answerMillis: number, onLate: () => void): Waiting {
  const requests: (string | null)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = requests.length > 0 ? setTimeout(onLate, answerMillis) : undefined;
  };
  return {
    get isAsked() {
      return requests.length > 0;
    },
    get continued() {
      return requests[0] ?? null;
    },
    asked(continued) {
      requests.push(continued);
      if (requests.length === 1) watch();
    },
    answered() {
      requests.shift();
      watch();
    },
    close: () => clearTimeout(timer),
  };
}

/** So much of a request is looked at: all of a short one. */
const wanted = (head: Buffer): number =>
  head.length < HEADER_BYTES ? HEADER_BYTES : Math.max(HEADER_BYTES + 4, Math.min(HEAD_BYTES, head.readInt32LE(0)));

const continuedBy = (head: Buffer): string | null =>
  head.length === HEAD_BYTES && head.subarray(GET_MORE_AT, HEAD_BYTES - 8).equals(GET_MORE)
    ? head.subarray(HEAD_BYTES - 8).toString("hex")
    : null;

/** Passes requests on as they are, and counts those that wait for an answer. */
export function requestCounter(waiting: Waiting): Transform {
  let head = Buffer.alloc(0);
  let left = 0;
  const count = (chunk: Buffer) => {
    let rest = chunk;
    while (rest.length > 0) {
      const step = Math.min(left > 0 ? left : wanted(head) - head.length, rest.length);
      const part = rest.subarray(0, step);
      rest = rest.subarray(step);
      if (left > 0) {
        left -= step;
        continue;
      }
      head = Buffer.concat([head, part]);
      if (head.length < HEADER_BYTES || head.length < wanted(head)) continue;
      const isQuery = head.readInt32LE(12) === OP_QUERY;
      if (isQuery || (head.readUInt32LE(HEADER_BYTES) & MORE_TO_COME) === 0) waiting.asked(continuedBy(head));
      left = head.readInt32LE(0) - head.length;
      head = Buffer.alloc(0);
    }
  };
  return new Transform({
    transform(chunk: Buffer, _, callback: TransformCallback) {
      count(chunk);
      callback(null, chunk);
    },
  });
}
