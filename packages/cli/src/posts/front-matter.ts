import { type Read, readList, readValue, settle, type Value, wrong, FrontMatterError } from "./yaml-value.ts";

/** One key of front matter: what its line says, or the lines below it. */
export type Entry = { readonly line: number } & (
  | { readonly read: Read; readonly source: string }
  | { readonly list: readonly Read[] }
  | { readonly map: ReadonlyMap<string, Value> }
);

export interface Parts {
  /** The lines between the fences, without their ends. */
  readonly lines: readonly string[];
  /** Exactly what follows the front matter, with "\n" as line ends where the file has "\r\n". */
  readonly body: string;
}

/** A file whose first line ends with "\r\n" has such ends throughout: an editor or git on Windows made them. */
export const withUnixLines = (text: string): string => (/^\ufeff?---[ \t]*\r\n/.test(text) ? text.replaceAll("\r\n", "\n") : text);

/**
 * Takes a file apart. Between the front matter and the body there is an empty line, and a line end after the body, neither of which belongs
 * to it: written and read again, a body is the same to the byte.
 */
export function splitFile(text: string): Parts {
  const [, front, rest] =
    /^\ufeff?---[ \t]*\n((?:(?!---[ \t]*(?:\n|$))[^\n]*\n)*)---[ \t]*(?:\n([^]*))?$/.exec(withUnixLines(text)) ??
    wrong("the file must start with front matter: a line ---, then lines such as title: Hello, then a line ---");
  const body = (rest ?? "").replace(/^\n/, "").replace(/\n$/, "");
  return { lines: front === "" ? [] : front!.slice(0, -1).split("\n"), body };
}

export const joinFile = (lines: readonly string[], body: string): string =>
  `---\n${lines.map((line) => `${line}\n`).join("")}---\n${body === "" ? "" : `\n${body}\n`}`;

/** Reads the lines strictly: each key once, and nothing that we would have to guess. Line numbers count from the top of the file. */
export function readEntries(lines: readonly string[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at < lines.length;) {
    const start = at;
    const line = lines[at++]!;
    if (isNothing(line)) continue;
    on(start, () => {
      const [, key, source = ""] =
        /^([A-Za-z][\w-]*):(?:[ \t]+([^]*))?$/.exec(line) ?? wrong('expected "key: value" at the start of the line');
      if (entries.has(key!)) wrong(`${key} is written twice`);
      const below: number[] = [];
      if (source.trim() === "")
        while (at < lines.length && (isNothing(lines[at]!) || /^(?:[ \t]|- |-$)/.test(lines[at]!))) below.push(at++);
      const said = below.filter((number) => !isNothing(lines[number]!));
      entries.set(key!, {
        line: start + 2,
        ...(said.length === 0 ? { read: readValue(source), source } : readBelow(said.map((number) => [number, lines[number]!]))),
      });
    });
  }
  return entries;
}

/** A list with dashes, or a map of one level. */
function readBelow(lines: readonly (readonly [number, string])[]): { list: readonly Read[] } | { map: ReadonlyMap<string, Value> } {
  const [, indent = "", dash] = /^([ ]*)(- |-$)?/.exec(lines[0]![1])!;
  const list: Read[] = [];
  const map = new Map<string, Value>();
  for (const [number, line] of lines) {
    on(number, () => {
      if (line.includes("\t") && /^\s*\t/.test(line)) wrong("it is indented with a tab: use spaces");
      const text = line.slice(indent.length);
      if (!line.startsWith(indent) || text.startsWith(" ")) wrong("it is indented otherwise than the line before");
      if (dash !== undefined) {
        list.push(readValue((/^-(?: +(.*))?$/.exec(text) ?? wrong("expected another entry of the list: - text"))[1] ?? ""));
        return;
      }
      const [, quoted, bare, source = ""] =
        /^(?:("(?:[^"\\]|\\.)*")|([^\s"'#:[\]{}&*!|>%@`-][^:"#]*?))[ \t]*:(?:[ \t]+([^]*))?$/.exec(text) ?? wrong('expected "key: value"');
      const key = quoted === undefined ? bare! : (JSON.parse(quoted) as string);
      if (map.has(key)) wrong(`${key} is written twice`);
      map.set(key, settle(readValue(source)));
    });
  }
  return dash === undefined ? { map } : { list };
}

/** The texts of a list, however it was written. */
export function textsOf(entry: Entry): readonly Read[] | null {
  if ("list" in entry) return entry.list;
  if ("map" in entry) return null;
  if ("value" in entry.read && entry.read.value === null) return [];
  return entry.source.trim().startsWith("[") ? readList(entry.source) : null;
}

const isNothing = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);

/** Says where in the file it is wrong; the fence is line 1. */
function on(index: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FrontMatterError) || /^line \d/.test(error.message)) throw error;
    throw new FrontMatterError(`line ${index + 2}: ${error.message}`);
  }
}
