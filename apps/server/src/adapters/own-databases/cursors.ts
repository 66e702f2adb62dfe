/** The driver keeps all parts of an answer until the last: a list that the service asks for has some megabytes. */
const MOST_BYTES = 48_000_000;
const MOST_PARTS = 1_000;
/** From the second part of an answer to its last. */
const MOST_MILLIS = 30_000;
const MOST_OPEN = 1_000;

/** The answers of one cluster that come in parts. A server decides itself when one ends: without a limit it never has to. */
export interface Cursors {
  /** One more part of so many bytes; says what is wrong, or null. */
  goesOn(id: string, bytes: number): string | null;
  ended(id: string): void;
}

export function createCursors(now: () => number = () => performance.now()): Cursors {
  const open = new Map<string, { readonly since: number; bytes: number; parts: number }>();
  return {
    goesOn(id, bytes) {
      const cursor = open.get(id) ?? { since: now(), bytes: 0, parts: 0 };
      const isLate = now() - cursor.since > MOST_MILLIS;
      // No end is ever reported for a cursor that the driver abandoned.
      for (const [other, { since }] of open) if (other !== id && now() - since > MOST_MILLIS) open.delete(other);
      cursor.bytes += bytes;
      cursor.parts += 1;
      open.set(id, cursor);
      const all = [...open.values()].reduce((sum, each) => sum + each.bytes, 0);
      return isLate || cursor.parts > MOST_PARTS || all > MOST_BYTES || open.size > MOST_OPEN ? "does not end" : null;
    },
    ended: (id) => void open.delete(id),
  };
}
