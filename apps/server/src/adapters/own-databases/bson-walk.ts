/** What a reply can hold at most, nested elements counted in. Pages of a hundred posts have some 50,000. */
const MAX_ELEMENTS = 500_000;
/** What is decoded in one piece: one of the documents of a list, or a reply that is none. A post with ten thousand images has 60,000. */
const MAX_PIECE_ELEMENTS = 150_000;
/** Names in one object: ours have dozens, and each one that is new takes an engine as long as ten entries of an array. */
const MAX_NAMES = 2_000;
/** In the reply itself: it has a dozen. */
const MAX_TOP_NAMES = 500;
const MAX_DEPTH = 110;
/** Of a top-level name only so much is of interest. */
const NAME_BYTES = 64;

/** Bytes of values that always have the same size. */
const FIXED: Readonly<Record<number, number>> = {
  0x01: 8, // double
  0x06: 0, // undefined
  0x07: 12, // object id
  0x08: 1, // boolean
  0x09: 8, // date
  0x0a: 0, // null
  0x10: 4, // int32
  0x11: 8, // timestamp
  0x12: 8, // int64
  0x13: 16, // decimal128
  0x7f: 0, // greatest key
  0xff: 0, // least key
};
const INT64 = 0x12;
/** The name of an answer that does not go on, eight bytes in hex. */
const NO_CURSOR = "0".repeat(16);
/** Where the documents of a list are. */
const BATCHES: readonly string[] = ["firstBatch", "nextBatch"];
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const BINARY = 0x05;
const REGEX = 0x0b;
/** String, code and symbol. Code with a scope and pointers to other databases are refused: nobody writes them any more. */
const TEXTS: readonly number[] = [0x02, 0x0d, 0x0e];

type State = "length" | "type" | "name" | "skip" | "size" | "pattern" | "flags";

/**
 * Walks through the bytes of one BSON document as they come in, without keeping them: whether the lengths fit into each other, how
 * many elements there are and how deep. A parser pays dozens of bytes of memory for an element that takes two on the wire.
 */
export class BsonWalk {
  /** Which of the names that are looked for stand in the document itself, not in nested ones. */
  readonly found = new Set<string>();
  done = false;
  /** For a part of a longer answer: it says that it belongs to another one, or that it is the last. */
  isStrange = false;
  isLast = false;
  #state: State = "length";
  #at = 0;
  /** For each level where it ends, and the names it has; arrays have none. */
  readonly #ends: number[] = [];
  readonly #names: number[] = [];
  readonly #total: number;
  readonly #wanted: ReadonlySet<string>;
  #elements = 0;
  #pieceElements = 0;
  #type = 0;
  #left = 0;
  #number = 0;
  #numberBytes = 0;
  #name: number[] = [];
  readonly #continued: string | null;
  #isInCursor = false;
  #isInBatch = false;
  #cursorId: number[] | null = null;

  /** `continued`: the name of the longer answer that this is a part of, as it stands in the request. */
  constructor(total: number, wanted: ReadonlySet<string>, continued: string | null = null) {
    this.#total = total;
    this.#wanted = wanted;
    this.#continued = continued;
  }

  /** Returns what is wrong, or null. */
  push(bytes: Buffer): string | null {
    let index = 0;
    while (index < bytes.length) {
      if (this.done) return "has more than one document";
      const from = index;
      index = this.#step(bytes, index);
      this.#at += index - from;
      const problem = this.#after();
      if (problem) return problem;
    }
    return null;
  }

  #step(bytes: Buffer, index: number): number {
    switch (this.#state) {
      case "skip": {
        const step = Math.min(this.#left, bytes.length - index);
        this.#left -= step;
        this.#cursorId?.push(...bytes.subarray(index, index + step));
        return index + step;
      }
      case "name":
      case "pattern":
      case "flags": {
        // Not `indexOf`: names are short, and it is called for each of them.
        let end = index;
        while (end < bytes.length && bytes[end] !== 0) end += 1;
        if (this.#state === "name" && this.#isNamed && this.#name.length < NAME_BYTES)
          this.#name.push(...bytes.subarray(index, Math.min(end, index + NAME_BYTES)));
        if (end === bytes.length) return end;
        this.#left = -1;
        return end + 1;
      }
      case "length":
      case "size":
        if (this.#numberBytes === 0 && index + 4 <= bytes.length) {
          this.#number = bytes.readUInt32LE(index);
          this.#numberBytes = 4;
          return index + 4;
        }
        this.#number += bytes[index]! * 2 ** (8 * this.#numberBytes);
        this.#numberBytes += 1;
        return index + 1;
      case "type":
        this.#type = bytes[index]!;
        return index + 1;
    }
  }

  /** Moves on when what was read is complete. */
  #after(): string | null {
    const end = this.#ends.at(-1) ?? this.#total;
    if (this.#at > end) return "has lengths that do not fit into each other";
    switch (this.#state) {
      case "length":
        return this.#numberBytes === 4 ? this.#openDocument(this.#at - 4 + this.#take(), end) : null;
      case "size":
        return this.#numberBytes === 4 ? this.#skip(this.#take() + (this.#type === BINARY ? 1 : 0)) : null;
      case "type":
        return this.#type === 0 ? this.#closeDocument(end) : this.#openName();
      case "name":
        return this.#left === -1 ? this.#openValue() : null;
      case "pattern":
        if (this.#left === -1) this.#text("flags");
        return null;
      case "flags":
        if (this.#left === -1) this.#state = "type";
        return null;
      case "skip":
        if (this.#left === 0) {
          this.#state = "type";
          this.#judgeCursor();
        }
        return null;
    }
  }

  /** Whether the name of this element is of interest. */
  get #isNamed(): boolean {
    return this.#ends.length === 1 || (this.#isInCursor && this.#ends.length === 2);
  }

  #judgeCursor(): void {
    if (!this.#cursorId) return;
    const id = Buffer.from(this.#cursorId).toString("hex");
    this.#cursorId = null;
    if (id === NO_CURSOR) this.isLast = true;
    else if (id !== this.#continued) this.isStrange = true;
  }

  #take(): number {
    const number = this.#number;
    this.#number = 0;
    this.#numberBytes = 0;
    return number;
  }

  #openDocument(end: number, outer: number): string | null {
    const isWhole = this.#ends.length > 0 || end === this.#total;
    if (!isWhole || end < this.#at + 1 || end > outer) return "has lengths that do not fit into each other";
    if (this.#ends.push(end) > MAX_DEPTH) return "is nested too deeply";
    this.#names.push(this.#type === ARRAY ? Number.NEGATIVE_INFINITY : 0);
    this.#state = "type";
    return null;
  }

  #closeDocument(end: number): string | null {
    if (this.#at !== end) return "has lengths that do not fit into each other";
    this.#ends.pop();
    this.#names.pop();
    this.done = this.#ends.length === 0;
    return null;
  }

  #openName(): string | null {
    this.#elements += 1;
    const level = this.#ends.length;
    // The driver decodes a list document by document.
    this.#pieceElements = this.#isInBatch && level === 3 ? 0 : this.#pieceElements + 1;
    const names = ++this.#names[level - 1]!;
    if (this.#name.length > 0) this.#name = [];
    this.#text("name");
    const isWithin =
      this.#elements <= MAX_ELEMENTS && this.#pieceElements <= MAX_PIECE_ELEMENTS && names <= (level === 1 ? MAX_TOP_NAMES : MAX_NAMES);
    return isWithin ? null : "has too many elements";
  }

  #text(state: State): void {
    this.#state = state;
    this.#left = 0;
  }

  #openValue(): string | null {
    const name = this.#isNamed ? Buffer.from(this.#name).toString("latin1") : "";
    if (this.#ends.length === 1) {
      if (this.#wanted.has(name)) this.found.add(name);
      this.#isInCursor = name === "cursor" && this.#type === DOCUMENT;
      this.#isInBatch = false;
    } else if (this.#isInCursor && this.#ends.length === 2) {
      this.#isInBatch = BATCHES.includes(name) && this.#type === ARRAY;
      if (name === "id" && this.#continued !== null) {
        this.isStrange ||= this.#type !== INT64;
        this.#cursorId = [];
      }
    }
    const fixed = FIXED[this.#type];
    if (fixed !== undefined) return this.#skip(fixed);
    if (this.#type === DOCUMENT || this.#type === ARRAY) this.#state = "length";
    else if (this.#type === BINARY || TEXTS.includes(this.#type)) this.#state = "size";
    else if (this.#type === REGEX) this.#text("pattern");
    else return "has a value of an unknown type";
    return null;
  }

  #skip(bytes: number): string | null {
    if (this.#at + bytes >= (this.#ends.at(-1) ?? 0)) return "has lengths that do not fit into each other";
    this.#left = bytes;
    this.#state = bytes === 0 ? "type" : "skip";
    return null;
  }
}
