import { say } from "../command.ts";

export type Outcome = "new" | "updated" | "unchanged" | "kept" | "in review" | "conflict" | "problem";

/** Says what became of each file, and at the end how many there were of each. */
export class Report {
  readonly #counts = new Map<Outcome, number>();

  tell(outcome: Outcome, name: string, words = "", details: readonly string[] = []): void {
    this.#counts.set(outcome, this.count(outcome) + 1);
    if (outcome === "unchanged") return;
    say([`${outcome.padEnd(9)}  ${name}${words && `: ${words}`}`, ...details].join("\n"));
  }

  count(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  /** "2 updated, 498 unchanged" */
  sum(): string {
    return [...this.#counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ") || "no posts";
  }

  get exitCode(): number {
    return this.count("conflict") + this.count("problem") > 0 ? 1 : 0;
  }
}
