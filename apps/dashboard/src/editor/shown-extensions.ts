import { Node } from "@tiptap/core";
import type { AnyExtension, NodeViewRenderer } from "@tiptap/core";
import { bodyExtensions } from "./schema/extensions.ts";
import { calloutView } from "./views/callout-view.ts";
import { codeBlockView } from "./views/code-block-view.ts";
import { embedView } from "./views/embed-view.ts";
import { imageView } from "./views/image-view.ts";
import { listItemView } from "./views/list-item-view.ts";

const VIEWS: Readonly<Record<string, NodeViewRenderer>> = {
  callout: calloutView,
  codeBlock: codeBlockView,
  embed: embedView,
  image: imageView,
  listItem: listItemView,
};

/** The parts of a body, those that need it with controls of their own. */
export const shownExtensions: readonly AnyExtension[] = bodyExtensions.map((extension: AnyExtension): AnyExtension => {
  const view = VIEWS[extension.name];
  return view === undefined || !(extension instanceof Node) ? extension : extension.extend({ addNodeView: () => view });
});
