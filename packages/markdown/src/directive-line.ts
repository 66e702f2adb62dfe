import type { StateBlock } from "markdown-it";
import { GRAMMAR_LIMITS } from "./limits.ts";

/** `:::note[Title]{key=value}`, taken apart. The label is trimmed, the attributes are as they were typed. */
export interface DirectiveLine {
  readonly colons: number;
  readonly name: string;
  readonly label: string;
  /** What stands between the braces; null without braces. */
  readonly attributes: string | null;
}

const LINE = /^(:{2,})([a-z][a-z0-9-]*)(?:\[([^\]]*)\])?(?:\{([^{}]*)\})?\s*$/;
const ATTRIBUTE = /([a-z][a-z0-9-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))/g;

/** The directive a line of the text holds, or null when it is any other line. */
export function directiveAt(state: StateBlock, line: number, start: "::" | ":::"): DirectiveLine | null {
  const text = lineStarting(state, line, start);
  return text === null ? null : directiveLine(text);
}

export function directiveLine(line: string): DirectiveLine | null {
  const match = LINE.exec(line);
  if (match === null || (match[4] ?? "").length > GRAMMAR_LIMITS.directiveAttributes) return null;
  return { colons: match[1]!.length, name: match[2]!, label: (match[3] ?? "").trim(), attributes: match[4] ?? null };
}

/** What is said between the braces of a directive. */
export function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(ATTRIBUTE)].map((pair) => [pair[1]!, pair[2] ?? pair[3] ?? pair[4]!] as const));
}

/** The text of a line, without the indentation; null when it begins with something else, or is indented as code. */
export function lineStarting(state: StateBlock, line: number, start: string): string | null {
  if (state.sCount[line]! - state.blkIndent >= 4) return null;
  const from = state.bMarks[line]! + state.tShift[line]!;
  return state.src.startsWith(start, from) ? state.src.slice(from, state.eMarks[line]) : null;
}
