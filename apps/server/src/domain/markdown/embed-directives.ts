import type { MarkdownIt } from "markdown-it";
import { directiveLine, lineStarting } from "./directive-line.ts";
import { embedOf } from "./embeds.ts";

/** `::youtube[Title]{id=…}` on a line of its own. An unknown name or an id of the wrong form leaves the line as text. */
export function embedDirectives(md: MarkdownIt): void {
  md.block.ruler.before(
    "fence",
    "embed",
    (state, startLine, _endLine, silent) => {
      const line = lineStarting(state, startLine, "::");
      const directive = line === null ? null : directiveLine(line);
      if (directive === null || directive.colons !== 2) return false;
      const embed = embedOf(directive.name, directive.attributes);
      if (embed === null) return false;
      if (silent) return true;
      state.push("embed", "", 0).meta = { embed, label: directive.label.trim() };
      state.line = startLine + 1;
      return true;
    },
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );
}
