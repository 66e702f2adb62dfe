import { type CountedType, type Counts, noCounts } from "./records.ts";

/** Conflicts named one by one; beyond that they are only counted, so that a hopeless import does not fill the memory. */
const NAMED = 1_000;

export interface Conflict {
  readonly line: number;
  readonly type: CountedType;
  readonly id: string;
  /** The name that people know it by: a title, a name, a file name. */
  readonly label: string;
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
  /** Names of settings that the website had not set, and has from the file now. */
  readonly settingsTaken: readonly string[];
  /** Names of settings that the file has otherwise, and that were left as they are. */
  readonly settingsKept: readonly string[];
}

/** "with its post": the history of a post that was left alone is left alone too; the post's own conflict says it for both. */
export type Outcome = "imported" | "skipped" | "with its post" | { readonly conflict: string };

interface Subject {
  readonly line: number;
  readonly type: CountedType;
  readonly id: string;
  readonly label: string;
}

export class Report {
  readonly #imported = noCounts();
  readonly #skipped = noCounts();
  readonly #conflicts: Conflict[] = [];
  #conflictCount = 0;
  fieldsAdded: readonly string[] = [];
  settingsTaken: readonly string[] = [];
  settingsKept: readonly string[] = [];

  add(subject: Subject, outcome: Outcome): void {
    if (outcome === "imported") this.#imported[subject.type] += 1;
    else if (outcome === "skipped") this.#skipped[subject.type] += 1;
    else if (typeof outcome === "object") {
      this.#conflictCount += 1;
      if (this.#conflicts.length < NAMED) this.#conflicts.push({ ...subject, reason: outcome.conflict });
    }
  }

  /** Whether the website holds anything now that it did not hold before. */
  get hasChanged(): boolean {
    const { term, media, post, revision } = this.#imported;
    return term + media + post + revision + this.fieldsAdded.length + this.settingsTaken.length > 0;
  }

  result(): ImportResult {
    return {
      imported: { ...this.#imported },
      skipped: { ...this.#skipped },
      conflicts: [...this.#conflicts],
      conflictCount: this.#conflictCount,
      fieldsAdded: this.fieldsAdded,
      settingsTaken: this.settingsTaken,
      settingsKept: this.settingsKept,
    };
  }
}

export const OTHER_CONTENT = "Already exists with other content, which was kept.";
