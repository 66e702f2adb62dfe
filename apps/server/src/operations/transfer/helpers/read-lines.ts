import { fail } from "#domain/failure";
import { MAX_LINE_BYTES } from "./records.ts";

export interface Line {
  /** From 1, as editors count. */
  readonly number: number;
  readonly text: string;
}

/** Lines of a text that arrives in pieces of any size. At most one line is held. The last need not end with a line break. */
export async function* readLines(source: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 1;
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    length += piece.length;
    // Characters are never more than bytes, so this also bounds what lines of other scripts may hold.
    if (length > MAX_LINE_BYTES) {
      throw fail(
        "PAYLOAD_TOO_LARGE",
        `Line ${number} is longer than ${MAX_LINE_BYTES / 1024 ** 2} MiB. No export has such a line; is this the right file?`,
        {
          line: number,
        },
      );
    }
    pieces.push(piece);
  };
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      add(chunk.slice(from, end));
      yield { number, text: pieces.join("") };
      number += 1;
      pieces = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.slice(from));
  }
  if (length > 0) yield { number, text: pieces.join("") };
}
