import { Tokenizer } from "htmlparser2";
import type { HtmlWriter } from "./html-writer.ts";
import { LIMITS } from "./limits.ts";

/** Their content is not for reading. */
const WITHOUT_CONTENT = new Set(["script", "style", "iframe", "noembed", "noframes"]);

/**
 * Reads raw HTML and hands its tags and texts to the writer, which decides. A tokenizer and no tree: one pass over the
 * text, no recursion, no scans of what is open, whatever is nested in what. Comments and declarations are dropped.
 */
export class RawHtml {
  readonly #writer: HtmlWriter;
  readonly #tokenizer: Tokenizer;
  #source = "";
  #tag = "";
  #attributes = new Map<string, string>();
  #name = "";
  #value = "";
  #skipping = "";

  constructor(writer: HtmlWriter) {
    this.#writer = writer;
    const ignore = (): void => undefined;
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, end) => this.#startTag(this.#slice(start, end).toLowerCase()),
        onattribname: (start, end) => {
          this.#name = this.#slice(start, end).toLowerCase();
          this.#value = "";
        },
        onattribdata: (start, end) => void (this.#value += this.#slice(start, end)),
        onattribentity: (codePoint) => void (this.#value += String.fromCodePoint(codePoint)),
        onattribend: () => this.#attribute(),
        onopentagend: () => this.#endTag(),
        onselfclosingtag: () => this.#endTag(),
        onclosetag: (start, end) => this.#close(this.#slice(start, end).toLowerCase()),
        ontext: (start, end) => this.#text(this.#slice(start, end)),
        ontextentity: (codePoint) => this.#text(String.fromCodePoint(codePoint)),
        oncdata: ignore,
        oncomment: ignore,
        ondeclaration: ignore,
        onend: ignore,
        onprocessinginstruction: ignore,
      },
    );
  }

  /** One fragment. What it leaves unfinished (a comment, a script) ends with it, and swallows nothing that follows. */
  read(html: string): void {
    this.#source = html;
    this.#skipping = "";
    this.#tokenizer.reset();
    this.#tokenizer.write(html);
    this.#tokenizer.end();
  }

  #slice(start: number, end: number): string {
    return this.#source.slice(start, end);
  }

  #startTag(tag: string): void {
    this.#tag = tag;
    this.#attributes = new Map();
  }

  #attribute(): void {
    // Of two attributes of one name the first counts, as in browsers.
    if (this.#attributes.size < LIMITS.tagAttributes && !this.#attributes.has(this.#name)) this.#attributes.set(this.#name, this.#value);
  }

  #endTag(): void {
    if (WITHOUT_CONTENT.has(this.#tag)) this.#skipping = this.#tag;
    const name = this.#attributes.get("name");
    if (this.#tag === "a" && name !== undefined && !this.#attributes.has("id")) this.#attributes.set("id", name);
    this.#writer.open(this.#tag, this.#attributes);
  }

  #close(tag: string): void {
    if (tag === this.#skipping) this.#skipping = "";
    // `</p>` without a `<p>` and `</br>` make elements in browsers; here a tag that closes nothing is nothing.
    this.#writer.close(tag);
  }

  #text(text: string): void {
    if (this.#skipping === "") this.#writer.text(text);
  }
}
