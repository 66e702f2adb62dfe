import { HEADING_ID_PREFIX, type HeadingIds, isHeadingId, USER_ID_PREFIX } from "@stet/markdown";
import type { Heading } from "#domain/post";
import { allowedAttributes, NO_ATTRIBUTES, isAllowedElement, isBlockElement, isHeadingElement, isVoidElement } from "./allow-list.ts";
import type { Attributes } from "./allow-list.ts";
import { embedOfFrame, frameOf } from "./embeds.ts";
import { HtmlTooLong, LIMITS } from "./limits.ts";

interface OpenElement {
  readonly tag: string;
  /** Opened by the renderer: raw HTML cannot close it, so it cannot break out of the list or callout it stands in. */
  readonly ours: boolean;
}

interface OpenHeading {
  readonly depth: number;
  readonly idChunk: number;
  readonly textFrom: number;
}

export interface WriterOptions {
  /** Makes the ids of headings; without it (HTML that was rendered before) they keep the ones they have. */
  readonly headingIds?: HeadingIds;
  /** Longest HTML, in characters. */
  readonly maxLength?: number;
}

/**
 * The only way into the HTML: every tag passes the allow-list here, every text is escaped here, and what is opened is
 * closed in order. So harmlessness does not depend on who calls it, nor on how well the input was parsed.
 */
export class HtmlWriter {
  readonly headings: Heading[] = [];
  readonly #headingIds: HeadingIds | undefined;
  readonly #maxLength: number;
  readonly #chunks: string[] = [];
  readonly #texts: string[] = [];
  readonly #open: OpenElement[] = [];
  readonly #tooDeep = new Map<string, number>();
  readonly #userIds = new Set<string>();
  readonly #fragmentLinks: { readonly chunk: number; readonly name: string }[] = [];
  readonly #knownHeadingIds = new Set<string>();
  #heading: OpenHeading | null = null;
  #length = 0;

  constructor(options: WriterOptions = {}) {
    this.#headingIds = options.headingIds;
    this.#maxLength = options.maxLength ?? Number.POSITIVE_INFINITY;
  }

  open(tag: string, attributes: Attributes = NO_ATTRIBUTES, ours = false): void {
    if (tag === "iframe") return this.#frame(attributes);
    if (!isAllowedElement(tag)) return;
    if (isVoidElement(tag)) return this.#void(tag, attributes);
    if (this.#open.length >= LIMITS.elementDepth || (isHeadingElement(tag) && this.#heading !== null)) {
      this.#tooDeep.set(tag, (this.#tooDeep.get(tag) ?? 0) + 1);
      return;
    }
    const allowed = allowedAttributes(tag, attributes);
    if (allowed === null) return;
    if (isBlockElement(tag)) this.#texts.push("\n");
    this.#open.push({ tag, ours });
    if (allowed.size === 0 && !isHeadingElement(tag)) return this.#write(`<${tag}>`);
    this.#write(`<${tag}`);
    if (isHeadingElement(tag)) this.#openHeading(tag, attributes, allowed);
    else this.#attributes(allowed, attributes);
    this.#write(">");
  }

  close(tag: string, ours = false): void {
    const skipped = this.#tooDeep.get(tag) ?? 0;
    if (skipped > 0) {
      this.#tooDeep.set(tag, skipped - 1);
      return;
    }
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const element = this.#open[i]!;
      if (element.tag === tag && element.ours === ours) return this.#closeDownTo(i);
      if (element.ours && !ours) return;
    }
  }

  /** `readable: false` for marks that are no part of what the writer wrote, such as a footnote's number. */
  text(text: string, options: { readonly readable: boolean } = { readable: true }): void {
    if (text === "") return;
    this.#write(escapeText(text));
    if (options.readable) this.#texts.push(text);
  }

  /** Closes what is still open, and lets links find the ids that were prefixed. */
  end(): void {
    this.#closeDownTo(0);
    for (const { chunk, name } of this.#fragmentLinks) {
      if (this.#knownHeadingIds.has(name)) continue;
      const isHeading = this.#knownHeadingIds.has(HEADING_ID_PREFIX + name);
      const prefix = isHeading ? HEADING_ID_PREFIX : this.#userIds.has(name) ? USER_ID_PREFIX : null;
      if (prefix !== null) this.#chunks[chunk] = `#${prefix}${escapeAttribute(name)}`;
    }
  }

  html(): string {
    return this.#chunks.join("");
  }

  /** The text that a reader reads, one line a block. */
  plainText(): string {
    return tidy(this.#texts.join(""));
  }

  #closeDownTo(index: number): void {
    while (this.#open.length > index) {
      const { tag } = this.#open.pop()!;
      if (isHeadingElement(tag)) this.#closeHeading();
      if (isBlockElement(tag)) this.#texts.push("\n");
      this.#write(`</${tag}>`);
    }
    if (this.#open.length < LIMITS.elementDepth) this.#tooDeep.clear();
  }

  #void(tag: string, attributes: Attributes): void {
    const allowed = allowedAttributes(tag, attributes);
    const alt = tag === "img" ? (attributes.get("alt") ?? "") : "";
    // An image that may not be shown still has its words.
    if (allowed === null) return this.text(alt);
    if (isBlockElement(tag)) this.#texts.push("\n");
    if (alt !== "") this.#texts.push(` ${alt} `);
    this.#write(`<${tag}`);
    this.#attributes(allowed, attributes);
    this.#write(">");
  }

  #frame(attributes: Attributes): void {
    const embed = embedOfFrame(attributes.get("src") ?? "");
    const frame = embed === null ? null : frameOf(embed);
    if (frame === null) return;
    // Sandboxed: the player runs its own scripts on its own origin, and can neither move our page nor ask for downloads.
    // YouTube refuses to play without a referrer, so it is told the origin and no more.
    this.#write(
      `<iframe src="${escapeAttribute(frame.src)}" title="${escapeAttribute(attributes.get("title")?.trim() || frame.title)}" loading="lazy" ` +
        `referrerpolicy="strict-origin-when-cross-origin" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation" ` +
        `allow="fullscreen; picture-in-picture; encrypted-media" allowfullscreen=""></iframe>`,
    );
  }

  #attributes(allowed: Attributes, given: Attributes): void {
    for (const [name, value] of allowed) {
      if (name === "id" && value !== given.get("id")) this.#userIds.add(given.get("id")!);
      this.#write(` ${name}="`);
      if (name === "href" && value.startsWith("#")) this.#fragmentLinks.push({ chunk: this.#chunks.length, name: decoded(value.slice(1)) });
      this.#write(escapeAttribute(value));
      this.#write('"');
    }
  }

  #openHeading(tag: string, given: Attributes, allowed: Attributes): void {
    const rest = new Map(allowed);
    rest.delete("id");
    const kept = given.get("id") ?? "";
    const id = this.#headingIds === undefined && isHeadingId(kept) ? ` id="${escapeAttribute(kept)}"` : "";
    this.#heading = { depth: Number(tag[1]), idChunk: this.#chunks.length, textFrom: this.#texts.length };
    this.#chunks.push(id);
    this.#length += id.length;
    this.#attributes(rest, given);
  }

  #closeHeading(): void {
    const heading = this.#heading;
    this.#heading = null;
    if (heading === null || this.#headingIds === undefined) return;
    const text = tidy(this.#texts.slice(heading.textFrom).join("")).replaceAll("\n", " ");
    const id = this.#headingIds.next(text);
    this.#knownHeadingIds.add(id);
    this.#chunks[heading.idChunk] = ` id="${escapeAttribute(id)}"`;
    this.#length += id.length + 6;
    if (this.headings.length < LIMITS.listedHeadings) this.headings.push({ id, depth: heading.depth, text });
  }

  #write(chunk: string): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > this.#maxLength) throw new HtmlTooLong();
  }
}

export function escapeText(text: string): string {
  return /[&<>\0]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\0", "\ufffd")
    : text;
}

function escapeAttribute(value: string): string {
  return /[&<>"\0]/.test(value) ? escapeText(value).replaceAll('"', "&quot;") : value;
}

const tidy = (text: string): string =>
  text
    .replaceAll("\0", "\ufffd")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
