import { styleOf, unwrap } from "./pasted-elements.ts";

/** Word writes the items of a list as paragraphs that begin with a bullet; their level is in the style. */
export function listsFromWord(body: HTMLElement): void {
  /** The list that is open on each level. */
  let open: HTMLElement[] = [];
  for (const paragraph of body.querySelectorAll<HTMLElement>("p[data-style]")) {
    const level = Number(/level(\d)/.exec(styleOf(paragraph)("mso-list") ?? "")?.[1] ?? 0);
    if (level === 0) continue;
    const tag = takeMarker(paragraph) ? "ol" : "ul";
    if (open[0] === undefined || paragraph.previousElementSibling !== open[0]) open = [];
    open.length = Math.min(open.length, level);
    if (open.length === level && open.at(-1)!.localName !== tag) open.pop();
    while (open.length < level) {
      const list = body.ownerDocument.createElement(tag);
      const parent = open.at(-1);
      if (parent === undefined) paragraph.before(list);
      else (parent.lastElementChild ?? parent.appendChild(body.ownerDocument.createElement("li"))).append(list);
      open.push(list);
    }
    const item = body.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    open.at(-1)!.append(item);
    paragraph.remove();
  }
}

/** Takes the bullet or the number away; true when it was a number or a letter. */
function takeMarker(paragraph: HTMLElement): boolean {
  const marker = [...paragraph.querySelectorAll("[data-style]")].find((each) => styleOf(each)("mso-list") === "ignore");
  const text = marker?.textContent?.trim() ?? "";
  marker?.remove();
  return /^(?:\d+|[a-z]{1,5})[.)]/i.test(text);
}

/** Notes that Word puts below the text, and the numbers that lead to them. A label that the post has already gets another. */
export function notesFromWord(body: HTMLElement, isTaken: (label: string) => boolean): void {
  const notes = [...body.querySelectorAll<HTMLElement>("div[data-style]")].filter((each) => styleOf(each)("mso-element") === "footnote");
  notes.forEach((note, i) => {
    let label = String(i + 1);
    while (isTaken(label)) label = `${label}a`;
    note.dataset["footnote"] = label;
    note.querySelector('a[href^="#_ftnref"]')?.remove();
    for (const reference of body.querySelectorAll(`a[href="#_${CSS.escape(note.id)}"]`)) {
      const mark = body.ownerDocument.createElement("sup");
      mark.dataset["footnoteReference"] = label;
      reference.replaceWith(mark);
    }
  });
  // Copied without its note, a number is only text.
  for (const reference of body.querySelectorAll('a[href^="#_ftn"]')) unwrap(reference);
  // The line above the notes.
  for (const line of body.querySelectorAll("div[data-style] > hr"))
    if (notes.includes(line.nextElementSibling as HTMLElement)) line.remove();
}
