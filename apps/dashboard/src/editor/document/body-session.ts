import type { Node, Schema } from "@tiptap/pm/model";
import { openMarkdown } from "./open-markdown.ts";
import type { OpenedBody } from "./open-markdown.ts";
import { saveMarkdown } from "./save-markdown.ts";

/**
 * One body in one editor. It may be opened again, say after work in the source view; and because that can be undone,
 * what was opened before is remembered too.
 */
export class BodySession {
  readonly #schema: Schema;
  readonly #opened: OpenedBody[] = [];
  /** Those from which the writer took the link: they stay text. */
  readonly plainAddresses = new Set<string>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  open(markdown: string): OpenedBody {
    const opened = openMarkdown(markdown, this.#schema);
    this.#opened.push(opened);
    return opened;
  }

  /** Opens another text in place of a document. Blocks that are the same stay the same objects, so that the cursor can stay. */
  reopen(markdown: string, doc: Node): { readonly from: number; readonly to: number; readonly blocks: readonly Node[] } {
    const opened = openMarkdown(markdown, this.#schema);
    const now = doc.content.content;
    const next = opened.doc.content.content;
    let start = 0;
    while (start < now.length && start < next.length && now[start]!.eq(next[start]!)) start++;
    let end = 0;
    while (end < now.length - start && end < next.length - start && now.at(-1 - end)!.eq(next.at(-1 - end)!)) end++;
    const kept = (i: number): Node | undefined =>
      i < start ? now[i] : i >= next.length - end ? now[i - next.length + now.length] : undefined;
    const slices = opened.slices.map((slice, i) => ({ ...slice, node: kept(i) ?? slice.node }));
    this.#opened.push({ ...opened, slices });
    const size = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
    return {
      from: size(now.slice(0, start)),
      to: doc.content.size - size(now.slice(now.length - end)),
      blocks: next.slice(start, next.length - end),
    };
  }

  save(doc: Node): string {
    return saveMarkdown(this.#openedFor(doc), doc, this.plainAddresses);
  }

  /** The opening that knows the most of these blocks; undo can bring back those of an earlier one. */
  #openedFor(doc: Node): OpenedBody {
    if (this.#opened.length === 1) return this.#opened[0]!;
    const blocks = new Set(doc.content.content);
    let best = this.#opened.at(-1)!;
    let highest = -Infinity;
    for (const opened of this.#opened.toReversed()) {
      const known = opened.slices.filter(({ node }) => blocks.has(node)).length;
      const missing = opened.slices.length - known;
      if (known - missing > highest) [best, highest] = [opened, known - missing];
    }
    return best;
  }
}
