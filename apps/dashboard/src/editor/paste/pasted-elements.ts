/** Elements that begin a line of their own. */
export const BLOCKS = "p, div, li, h1, h2, h3, h4, h5, h6, blockquote, pre";

/** Reads one property of the style that an element was pasted with. */
export const styleOf =
  (element: Element) =>
  (property: string): string | undefined =>
    new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, "i")
      .exec(element.getAttribute("data-style") ?? "")?.[1]
      ?.trim()
      .toLowerCase();

export function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** Neither words nor anything to see; spaces that do not break are spaces too. */
export const isBlank = (element: Element): boolean =>
  (element.textContent ?? "").trim() === "" && element.querySelector("img, hr, table, input") === null;
