import type { Node } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import type { Token } from "markdown-it";
import { openMarkdown } from "../document/open-markdown.ts";
import { saveMarkdown } from "../document/save-markdown.ts";
import { parse } from "../document/grammar.ts";
import { bodySchema } from "../schema/extensions.ts";

/** Each paragraph, heading or cell of a body gets a word more, one at a time; here is what went wrong, if anything. */
export interface Fault {
  readonly markdown: string;
  readonly saved: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The service's own renderer, by which the result is judged. */
export interface Service {
  readonly tokens: (markdown: string) => Token[];
  /** The HTML of each of some blocks, their heading ids unique among all. */
  readonly html: (blocks: readonly (readonly Token[])[]) => string[];
}

const WORD = " stet";
export const schema = bodySchema();

/** `most` bounds how many places are tried in a long body, spread over all of it. */
export function faultsOfEdits(service: Service, markdown: string, most = Infinity): { readonly tried: number; readonly faults: Fault[] } {
  const opened = openMarkdown(markdown, schema);
  const places = editablePlaces(opened.doc);
  const keys = sourceKeys(
    markdown,
    opened.slices.map(({ node }) => node.type.name === "sourceBlock"),
  );
  if (keys.length !== places.length) {
    return { tried: 0, faults: [{ markdown, saved: "", expected: `${keys.length} texts`, actual: `${places.length} texts` }] };
  }
  const step = Math.max(1, Math.floor(places.length / most));
  const faults: Fault[] = [];
  let tried = 0;
  for (let i = 0; i < places.length; i += step) {
    tried++;
    const state = EditorState.create({ doc: opened.doc });
    const { doc } = state.apply(state.tr.insert(places[i]!, schema.text(WORD)));
    const saved = saveMarkdown(opened, doc);
    const expected = rendered(service, markdown, keys[i]!);
    const actual = rendered(service, saved, null);
    const fault = difference(expected, actual);
    if (fault !== null) faults.push({ markdown, saved, ...fault });
  }
  return { tried, faults };
}

/** The ends of all texts that can be typed in and are not empty. */
function editablePlaces(doc: Node): number[] {
  const places: number[] = [];
  doc.descendants((node, pos) => {
    if (node.isTextblock && node.type.spec.code !== true && node.content.size > 0) places.push(pos + 1 + node.content.size);
  });
  return places;
}

/** The same texts by line, and by order where several stand on a line. */
function sourceKeys(markdown: string, isOpaque: readonly boolean[]): string[] {
  const keys: string[] = [];
  let block = 0;
  const keyOf = keyMaker();
  parse(markdown, {}).forEach((token, i, tokens) => {
    const key = keyOf(token);
    // To the editor, a box without words is a task without text.
    const isBox = tokens[i - 2]?.type === "list_item_open" && /^\[[ xX]\]$/.test(token.content);
    if (key !== null && hasText(token) && !isBox && !isOpaque[block]) keys.push(key);
    if (token.level === 0 && token.nesting !== 1) block++;
  });
  return keys;
}

const hasText = (token: Token): boolean => token.children!.some(({ type, content }) => type !== "text" || content !== "");

function keyMaker(): (token: Token) => string | null {
  const counts = new Map<number, number>();
  let line = 0;
  let previous: Token | null = null;
  return (token) => {
    line = token.map?.[0] ?? line;
    const isTitle = previous?.type === "callout_title_open";
    previous = token;
    if (token.type !== "inline" || isTitle) return null;
    const count = counts.get(line) ?? 0;
    counts.set(line, count + 1);
    return `${line}:${count}`;
  };
}

interface Block {
  readonly edited: boolean;
  readonly html: string;
  readonly meaning: string;
}

/** The HTML of each block as the service writes it, the word added to one text. */
function rendered(service: Service, markdown: string, editedKey: string | null): Block[] {
  const tokens = service.tokens(markdown);
  const keyOf = keyMaker();
  const edited = tokens.find((token) => keyOf(token) === editedKey && editedKey !== null);
  if (edited !== undefined) {
    edited.children = [...edited.children!, wordLike(edited)];
    besideWords(tokens, tokens.indexOf(edited));
  }
  const blocks: Token[][] = [[]];
  for (const token of tokens) {
    blocks.at(-1)!.push(token);
    if (token.level === 0 && token.nesting !== 1) blocks.push([]);
  }
  return (
    service
      .html(blocks)
      .map((html, i) => ({ html, edited: edited !== undefined && blocks[i]!.includes(edited), meaning: meaningOf(blocks[i]!) }))
      // A comment that keeps two blocks apart is nothing to readers.
      .filter(({ html }) => html.trim() !== "")
  );
}

/** An image beside words is no figure any more. */
function besideWords(tokens: readonly Token[], at: number): void {
  const [open, close] = [tokens[at - 1]!, tokens[at + 1]!];
  if (open.type !== "figure_open") return;
  for (const token of [open, close]) Object.assign(token, { type: token.type.replace("figure", "paragraph"), tag: "p", meta: null });
  const image = tokens[at]!.children!.find(({ type }) => type === "image")!;
  const { caption: _caption, width: _width, ...meta } = image.meta!;
  image.meta = Object.keys(meta).length === 0 ? null : meta;
}

function wordLike(token: Token): Token {
  const word = Object.create(Object.getPrototypeOf(token) as object) as Token;
  return Object.assign(word, { ...token, type: "text", content: WORD, children: null, map: null });
}

/** Other blocks must have the same HTML; the edited one the same words in the same styles, in whatever order styles nest. */
function difference(expected: readonly Block[], actual: readonly Block[]): { readonly expected: unknown; readonly actual: unknown } | null {
  const html = (blocks: readonly Block[]): string[] => blocks.map((block) => block.html);
  if (expected.length !== actual.length) return { expected: html(expected), actual: html(actual) };
  const at = expected.findIndex((block, i) => (block.edited ? block.meaning !== actual[i]!.meaning : block.html !== actual[i]!.html));
  return at === -1
    ? null
    : {
        expected: expected[at]!.edited ? expected[at]!.meaning : expected[at]!.html,
        actual: expected[at]!.edited ? actual[at]!.meaning : actual[at]!.html,
      };
}

function meaningOf(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.type === "inline" ? runsOf(token.children ?? []) : blockOf(token))).join("\n");
}

function blockOf(token: Token): string {
  const content = token.content.replace(/\n$/, "");
  if (token.type === "fence" || token.type === "code_block") return `code ${token.info.trim()} ${content}`;
  const { type, tag, hidden, meta, attrs } = token;
  return JSON.stringify({ type, tag, hidden, content, meta, attrs });
}

function runsOf(children: readonly Token[]): string {
  const runs: { marks: string; text: string }[] = [];
  const open: string[] = [];
  for (const child of children) {
    if (child.nesting === 1) open.push(`${child.tag} ${JSON.stringify(child.attrs)}`);
    else if (child.nesting === -1) open.pop();
    else {
      const marks = [...open, child.type === "code_inline" ? "code" : ""].sort().join("|");
      const text = child.type === "text" || child.type === "code_inline" ? child.content : inlineOf(child);
      if (runs.at(-1)?.marks === marks) runs.at(-1)!.text += text;
      else if (text !== "") runs.push({ marks, text });
    }
  }
  // Spaces that no reader sees: several in a row, and those at the end of a line.
  return JSON.stringify(
    runs.map(({ marks, text }) => ({
      marks,
      text: marks.includes("code") ? text : text.replace(/[ \t]+/g, " ").replace(/ (?=\n|<br>)/g, ""),
    })),
  );
}

function inlineOf(token: Token): string {
  if (token.type === "softbreak") return "\n";
  if (token.type === "hardbreak") return "<br>";
  if (token.type === "html_inline") return token.content.replace(/^<br\s*\/?>$/i, "<br>");
  if (token.type === "image") return `image ${JSON.stringify(token.attrs)} ${altText(token)}`;
  return `${token.type} ${JSON.stringify(token.meta)} ${JSON.stringify(token.attrs)}`;
}

const altText = (token: Token): string =>
  (token.children ?? []).map((child) => (child.type === "softbreak" ? " " : child.children ? altText(child) : child.content)).join("");
