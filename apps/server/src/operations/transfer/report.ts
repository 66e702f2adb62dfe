import { type CountedType, type Counts, noCounts } from "./records.ts";

/** Conflicts named one by one; beyond that they are only counted, so that a hopeless import does not fill the memory. */
const NAMED = 1_000;

export interface Conflict {
  readonly line: number;
  readonly type: CountedType;
  readonly id: string;
  readonly reason: string;
}

export interface ImportResult {
  readonly imported: Counts;
  /** Already there with the same content. */
  readonly skipped: Counts;
  /** Left alone, and why; the first thousand. */
  readonly conflicts: readonly Conflict[];
  readonly conflictCount: number;
  /** Names of field definitions that were added to the website. */
  readonly fieldsAdded: readonly string[];
}

export type Outcome = "imported" | "skipped" | { readonly conflict: string };

export class Report {
  readonly #imported = noCounts();
  readonly #skipped = noCounts();
  readonly #conflicts: Conflict[] = [];
  #conflictCount = 0;
  fieldsAdded: readonly string[] = [];

  add(line: number, type: CountedType, id: string, outcome: Outcome): void {
    if (outcome === "imported") this.#imported[type] += 1;
    else if (outcome === "skipped") this.#skipped[type] += 1;
    else {
      this.#conflictCount += 1;
      if (this.#conflicts.length < NAMED) this.#conflicts.push({ line, type, id, reason: outcome.conflict });
    }
  }

  result(): ImportResult {
    return {
      imported: { ...this.#imported },
      skipped: { ...this.#skipped },
      conflicts: [...this.#conflicts],
      conflictCount: this.#conflictCount,
      fieldsAdded: this.fieldsAdded,
    };
  }
}

export const OTHER_CONTENT = "Exists already with other content, which was left alone.";
