import { fail } from "#domain/failure";

/** Numbers that no record has, seen at `at`: writes that failed, records written again since, or writes still under way. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** Milliseconds; the numbers were taken before this moment. */
  readonly at: number;
}

export interface FeedPosition {
  readonly seen: number;
  readonly gaps: readonly Gap[];
}

/** Where a walk begins: with what has no number, by its key. */
interface KeyPosition {
  readonly afterKey: string | null;
}

/** Where the numbers begin. */
export const START: FeedPosition = { seen: 0, gaps: [] };

const SHAPE = /^\d{1,16}(;\d{1,16}-\d{1,16}@\d{1,16})*$/;

const KEY_SHAPE = /^~((?:[\w!'()*.~-]|%[\dA-F]{2})+)$/;

export function readCursor(cursor: string | null): FeedPosition | KeyPosition {
  if (cursor === null) return { afterKey: null };
  const key = KEY_SHAPE.exec(cursor)?.[1];
  if (key !== undefined) return { afterKey: decodeURIComponent(key) };
  if (!SHAPE.test(cursor)) throw fail("INVALID_CURSOR", "This cursor does not come from this store. Start again from the beginning.");
  const [seen = "", ...gaps] = cursor.split(";");
  return {
    seen: Number(seen),
    gaps: gaps.map((gap) => {
      const [from, to, at] = gap.split(/[-@]/).map(Number) as [number, number, number];
      return { from, to, at };
    }),
  };
}

export const writeCursor = ({ seen, gaps }: FeedPosition): string =>
  [String(seen), ...gaps.map(({ from, to, at }) => `${from}-${to}@${at}`)].join(";");

export const writeKeyCursor = (key: string): string => `~${encodeURIComponent(key)}`;

/** The gaps that remain once these numbers turned up. */
export function without(gaps: readonly Gap[], found: readonly number[]): readonly Gap[] {
  return found.reduce<readonly Gap[]>(
    (left, seq) =>
      left.flatMap((gap) => {
        if (seq < gap.from || seq > gap.to) return [gap];
        return [
          { ...gap, to: seq - 1 },
          { ...gap, from: seq + 1 },
        ].filter(({ from, to }) => from <= to);
      }),
    gaps,
  );
}
