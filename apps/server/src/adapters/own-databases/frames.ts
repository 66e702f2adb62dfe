import { Transform, type TransformCallback } from "node:stream";
import { callbackify } from "node:util";
import { BsonWalk } from "./bson-walk.ts";
import { BELIEVED, wrongField } from "./greetings.ts";
import type { Cursors } from "./cursors.ts";
import type { Pace } from "./pace.ts";
import type { Waiting } from "./requests.ts";

/** Documents have 16 MB at most, and a reply is one batch of them. */
export const MAX_FRAME_BYTES = 20_000_000;
/** Replies whose fields the driver trusts are at most this long. They are held back until those fields are checked. */
const HELD_BYTES = 65_536;

const OP_REPLY = 1;
const OP_COMPRESSED = 2012;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Where the document begins, behind the header and what belongs to the kind of frame. */
const DOCUMENT_AT = { [OP_MSG]: 21, [OP_REPLY]: 36 } as const;

/** The bytes of long frames that are on their way to the driver: more have to wait, so that they cannot fill the memory together. */
export interface FrameRoom {
  /** Resolves when there is room, with what gives it back. */
  take(bytes: number): Promise<() => void>;
}

interface Frame {
  readonly bytes: number;
  readonly walk: BsonWalk;
  readonly continued: string | null;
  left: number;
  readonly held: Buffer[] | null;
  readonly release: () => void;
}

export interface FrameOptions {
  readonly waiting: Waiting;
  readonly room: FrameRoom;
  /** Of long frames: to pass them on and to decode them takes time from everybody else. */
  readonly pace: Pace;
  readonly cursors: Cursors;
  readonly deserialize: (document: Uint8Array) => Record<string, unknown>;
}

/** Lets through what a server may answer: one plain document a request, whole, bounded, and believable where the driver believes it. */
export function replyFilter({ waiting, room, pace, cursors, deserialize }: FrameOptions): Transform {
  let head = Buffer.alloc(0);
  let frame: Frame | null = null;

  const begin = async (start: Buffer): Promise<Frame> => {
    const { bytes, documentAt } = readHead(start);
    if (!waiting.isAsked) throw refusal("was not asked for");
    const { continued } = waiting;
    const endless = continued === null ? null : cursors.goesOn(continued, bytes);
    if (endless) throw refusal(endless);
    const isLong = bytes > HELD_BYTES;
    const release = isLong ? await room.take(bytes) : () => {};
    const walk = new BsonWalk(bytes - documentAt, BELIEVED, continued);
    return { bytes, walk, continued, left: bytes - documentAt, held: isLong ? null : [start], release };
  };
  const end = (output: Transform, { walk, continued, held, release }: Frame) => {
    release();
    waiting.answered();
    if (continued !== null && walk.isLast) cursors.ended(continued);
    if (!walk.done) throw refusal("is not one whole document");
    if (!held) return;
    if (walk.found.size > 0) believe(Buffer.concat(held.slice(1)), deserialize);
    output.push(Buffer.concat(held));
  };

  const take = async (output: Transform, chunk: Buffer): Promise<void> => {
    let rest = chunk;
    while (rest.length > 0) {
      if (!frame) {
        const wanted = headBytes(head.length < HEADER_BYTES ? Buffer.concat([head, rest]) : head) - head.length;
        head = Buffer.concat([head, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (head.length < HEADER_BYTES || head.length < headBytes(head)) return;
        frame = await begin(head);
        // The connection can end while it waits for room.
        if (output.destroyed) return frame.release();
        if (!frame.held) output.push(head);
        head = Buffer.alloc(0);
      }
      const part = rest.subarray(0, frame.left);
      rest = rest.subarray(part.length);
      const problem = frame.walk.push(part) ?? problemOf(frame);
      if (problem) throw refusal(problem);
      if (frame.held) frame.held.push(part);
      else {
        await pace(part.length);
        if (output.destroyed) return frame.release();
        if (part.length > 0) output.push(part);
      }
      frame.left -= part.length;
      if (frame.left > 0) return;
      const ended = frame;
      frame = null;
      end(output, ended);
    }
  };

  const takeThen = callbackify(take);
  return new Transform({
    transform(chunk: Buffer, _, callback: TransformCallback) {
      takeThen(this, chunk, callback);
    },
    destroy(error, callback) {
      frame?.release();
      callback(error);
    },
  });
}

export class FrameRefusal extends Error {
  override readonly name = "FrameRefusal";
}
export const refusal = (problem: string, cause?: unknown): FrameRefusal =>
  new FrameRefusal(`A reply of the database ${problem}.`, { cause });

function problemOf({ held, walk }: Frame): string | null {
  if (walk.isStrange) return "belongs to another cursor";
  return held === null && walk.found.size > 0 ? "is too long for a handshake" : null;
}

/** How many bytes have to be there before the document. What the header alone tells is refused without waiting for more. */
function headBytes(start: Buffer): number {
  return start.length < HEADER_BYTES ? HEADER_BYTES : readHeader(start).documentAt;
}

function readHeader(head: Buffer): { bytes: number; kind: number; documentAt: number } {
  const bytes = head.readInt32LE(0);
  const kind = head.readInt32LE(12);
  if (kind === OP_COMPRESSED) throw refusal("is compressed, which was not agreed on");
  if (kind !== OP_MSG && kind !== OP_REPLY) throw refusal("is not a message of the protocol");
  const documentAt = DOCUMENT_AT[kind];
  if (bytes > MAX_FRAME_BYTES) throw refusal("is larger than 20 MB");
  if (bytes < documentAt + 5) throw refusal("is shorter than it can be");
  return { bytes, kind, documentAt };
}

function readHead(head: Buffer): { bytes: number; documentAt: number } {
  const { bytes, kind, documentAt } = readHeader(head);
  const isPlain = kind === OP_MSG ? head.readUInt32LE(HEADER_BYTES) === 0 && head[20] === 0 : head.readInt32LE(32) === 1;
  if (!isPlain) throw refusal("is not exactly one document");
  return { bytes, documentAt };
}

function believe(document: Buffer, deserialize: FrameOptions["deserialize"]): void {
  let wrong: string | null;
  try {
    wrong = wrongField(deserialize(document));
  } catch (error) {
    throw refusal("cannot be read", error);
  }
  if (wrong !== null) throw refusal(`has a field ${wrong} that cannot be right`);
}
