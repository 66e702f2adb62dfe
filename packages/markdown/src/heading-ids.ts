/** Ids stand apart, so that they can shadow nothing a page's script looks up (DOM clobbering): those that a writer chose, and headings'. */
export const USER_ID_PREFIX = "user-content-";
export const HEADING_ID_PREFIX = "h-";
const MAX_CHARACTERS = 100;

/** Ids of headings: a prefix, then the text as GitHub writes it, unique within the document, the same every time. */
export class HeadingIds {
  readonly #taken = new Map<string, number>();

  next(text: string): string {
    const base = HEADING_ID_PREFIX + headingSlug(text);
    let id = base;
    let count = this.#taken.get(base);
    if (count !== undefined) {
      // The count lives on with its base, so that a thousand equal headings take a thousand steps and not a million.
      do id = `${base}-${++count}`;
      while (this.#taken.has(id));
      this.#taken.set(base, count);
    }
    this.#taken.set(id, 0);
    return id;
  }
}

function headingSlug(text: string): string {
  const slug = text
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
  return /^-*$/.test(slug) ? "section" : slug;
}

/** True for what `HeadingIds` can have made. */
export const isHeadingId = (id: string): boolean => id.startsWith(HEADING_ID_PREFIX) && /^[\p{L}\p{M}\p{N}\p{Pc}-]{1,250}$/u.test(id);
