/** What a line of front matter can hold. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** Text without quotes is read by what its key expects: `title: 2026` is a text, `fields` may mean the number. */
export type Read = { readonly plain: string } | { readonly value: Value };

const PLAIN_ITEM = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,[\]{}"']+`;

/** Reads one value of YAML as far as we write it: texts, numbers, true, false, null, lists in brackets, and JSON. Anything else is refused. */
export function readValue(source: string): Read {
  const text = source.trim();
  if (text === "" || text === "null" || text === "~") return { value: null };
  if (text.startsWith('"')) return { value: readQuoted(text) };
  if (text.startsWith("'")) {
    const [, inner] = /^'((?:[^']|'')*)'$/.exec(text) ?? wrong("the quote is not closed, or something follows it");
    return { value: inner!.replaceAll("''", "'") };
  }
  if (text.startsWith("[")) return { value: readList(text).map(settle) };
  if (text.startsWith("{")) return { value: readJson(text) };
  if (/^(?:[&*!|>%@`?\]},]|- )/.test(text)) return wrong(`write it in one line, in double quotes; it starts with ${text[0]}`);
  if (/: |:$| #/.test(text)) return wrong('it has ": " or " #" in it: put it in double quotes');
  return { plain: text };
}

/** A list in brackets, each entry as it was written. */
export function readList(text: string): readonly Read[] {
  const inner = text.trim().slice(1, -1).trim();
  if (!text.trim().endsWith("]")) return wrong("the list has no ] at the end of its line");
  if (inner === "") return [];
  const json = tryJson(text);
  // As JSON, nested lists and objects of custom fields can be told; texts without quotes cannot.
  if (Array.isArray(json) && json.some((entry) => typeof entry === "object")) return json.map((value) => ({ value: value as Value }));
  const item = new RegExp(String.raw`\s*(${PLAIN_ITEM})\s*(,|$)`, "y");
  const items: Read[] = [];
  while (item.lastIndex < inner.length) {
    const [, entry, end] = item.exec(inner) ?? wrong("the list cannot be read: put its texts in double quotes, with commas between them");
    items.push(readValue(entry!));
    if (end === "") break;
  }
  return items;
}

/** The value that YAML gives to text without quotes. */
export function settle(read: Read): Value {
  if ("value" in read) return read.value;
  if (read.plain === "true" || read.plain === "false") return read.plain === "true";
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(read.plain) ? Number(read.plain) : read.plain;
}

export const writeValue = (value: Value): string => {
  if (typeof value === "string") return isPlain(value) ? value : quote(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return `[${value.map((entry: string) => (isPlain(entry) && !/[,'"]/.test(entry) ? entry : quote(entry))).join(", ")}]`;
  }
  return escapeHidden(JSON.stringify(value));
};

/** A text as a string of JSON in which nothing hides. */
export const quote = (text: string): string => escapeHidden(JSON.stringify(text));

export const writeKey = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) ? key : quote(key));

export class FrontMatterError extends Error {}

export function wrong(message: string): never {
  throw new FrontMatterError(message);
}

/** Words that YAML readers take for something else than a text. */
const TAKEN = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
const isPlain = (text: string): boolean =>
  /^\p{L}[\p{L}\p{M}\p{N} _.,;!?()'’"“”&@/+–—-]*$/u.test(text) && !text.endsWith(" ") && !TAKEN.test(text);

function readQuoted(text: string): string {
  const value = tryJson(text);
  return typeof value === "string" ? value : wrong(String.raw`the quotes do not close, or a \ in them is not written as \\`);
}

const readJson = (text: string): Value => (tryJson(text) as Value | undefined) ?? wrong("what is in braces must be JSON, in one line");

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Line ends that only some programs know, and characters that nobody sees. */
const escapeHidden = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
