import { captionOf, type FigureWidth } from "@stet/markdown";

/** What other programs call an image that is wider than the text. */
const CLASSES: readonly (readonly [selector: string, width: FigureWidth])[] = [
  [".stet-figure-wide, .kg-width-wide, .alignwide", "wide"],
  [".stet-figure-full, .kg-width-full, .alignfull", "full"],
];

/** A figure of one image becomes a paragraph with it, which says its caption and width itself. Of others the words are kept. */
export function captionsFromFigures(body: HTMLElement): void {
  for (const figure of body.querySelectorAll<HTMLElement>("figure")) {
    const [image, another] = figure.querySelectorAll("img");
    const captions = figure.querySelectorAll("figcaption");
    const has = figure.querySelector("table, pre, ul, ol, blockquote, video, iframe") !== null;
    if (image === undefined || another !== undefined || captions.length > 1 || has) continue;
    const caption = captionOf(captions[0]?.textContent ?? "");
    if (caption !== "") image.title = caption;
    const width = CLASSES.find(([selector]) => figure.matches(selector))?.[1];
    if (width) image.dataset["width"] = width;
    const paragraph = body.ownerDocument.createElement("p");
    const link = image.closest("a");
    paragraph.append(link !== null && figure.contains(link) ? link : image);
    figure.replaceWith(paragraph);
  }
}
