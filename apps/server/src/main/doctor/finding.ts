/** One line of the doctor: what was found and, unless it is good, what to do next. */
export interface Finding {
  readonly verdict: "good" | "warning" | "problem";
  readonly message: string;
}

export const good = (message: string): Finding => ({ verdict: "good", message });
export const warning = (message: string): Finding => ({ verdict: "warning", message });
export const problem = (message: string): Finding => ({ verdict: "problem", message });
