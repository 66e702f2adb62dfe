import type { StateBlock } from "markdown-it";
import { LIMITS } from "./limits.ts";

/** `:::note[Title]{key=value}`: how many colons, the name, the label and the attributes. */
export interface DirectiveLine {
  readonly colons: number;
  readonly name: string;
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const LINE = /^(:{2,})([a-z][a-z0-9-]*)(?:\[([^\]]*)\])?(?:\{([^{}]*)\})?\s*$/;
const ATTRIBUTE = /([a-z][a-z0-9-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))/g;

/** The directive a line holds, or null when it is any other text. */
export function directiveLine(line: string): DirectiveLine | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const attributes = match[4] ?? "";
  if (attributes.length > LIMITS.directiveAttributes) return null;
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map((pair) => [pair[1]!, pair[2] ?? pair[3] ?? pair[4]!] as const);
  return { colons: match[1]!.length, name: match[2]!, label: match[3] ?? "", attributes: Object.fromEntries(pairs) };
}

/** The text of a line, without the indentation; null when it begins with something else, or is indented as code. */
export function lineStarting(state: StateBlock, line: number, start: string): string | null {
  if (state.sCount[line]! - state.blkIndent >= 4) return null;
  const from = state.bMarks[line]! + state.tShift[line]!;
  return state.src.startsWith(start, from) ? state.src.slice(from, state.eMarks[line]) : null;
}
