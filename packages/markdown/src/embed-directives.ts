import type { MarkdownIt, StateBlock } from "markdown-it";
import { attributesOf, directiveAt } from "./directive-line.ts";
import { embedOf } from "./embeds.ts";

/** `::youtube[Title]{id=…}` on a line of its own. An unknown name or an id of the wrong form leaves the line as text. */
export function embedDirectives(md: MarkdownIt): void {
  md.block.ruler.before("fence", "embed", embedDirective, { alt: ["paragraph", "reference", "blockquote", "list"] });
}

function embedDirective(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const directive = directiveAt(state, startLine, "::");
  if (directive === null || directive.colons !== 2) return false;
  const { name, label, attributes } = directive;
  const embed = embedOf(name, attributesOf(attributes ?? ""));
  if (embed === null) return false;
  if (silent) return true;
  const token = state.push("embed", "", 0);
  token.meta = { name, label, attributes, embed };
  token.map = [startLine, startLine + 1];
  state.line = startLine + 1;
  return true;
}
