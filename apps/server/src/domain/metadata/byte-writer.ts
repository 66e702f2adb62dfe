/** Pieces of bytes, one after the other, in one buffer that was made for them: a file of a million tiny pieces costs no more memory. */
export class ByteWriter {
  readonly #bytes: Uint8Array;
  #length = 0;

  /** For what remains of a file of so many bytes. Exif with nothing but an orientation, and an end that was missing, may add a few. */
  constructor(fileBytes: number) {
    this.#bytes = new Uint8Array(fileBytes + 64);
  }

  write(...pieces: readonly ArrayLike<number>[]): void {
    for (const piece of pieces) {
      this.#bytes.set(piece, this.#length);
      this.#length += piece.length;
    }
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes so far, not a copy of them. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Segments, chunks or blocks: more than any image has. A hostile file of millions must not keep everybody else waiting. */
export const MAX_PIECES = 100_000;

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** One character a byte. */
export const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

export const textAt = (bytes: Uint8Array, at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));

export const startsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && textAt(bytes, 0, text.length) === text;
