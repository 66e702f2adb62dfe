import type { Node } from "@tiptap/pm/model";

/** The image that is all of a paragraph, linked or not: its title is a caption, and it can be wider than the text. */
export function loneImage(block: Node): Node | null {
  const image = block.type.name === "paragraph" && block.childCount === 1 ? block.firstChild! : null;
  return image?.type.name === "image" && image.marks.every(({ type }) => type.name === "link") ? image : null;
}
