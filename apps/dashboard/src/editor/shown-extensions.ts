import { Node } from "@tiptap/core";
import type { AnyExtension } from "@tiptap/core";
import { ReactNodeViewRenderer } from "@tiptap/react";
import type { ReactNodeViewProps } from "@tiptap/react";
import type { ComponentType } from "react";
import { bodyExtensions } from "./schema/extensions.ts";
import { CalloutView } from "./views/callout-view.tsx";
import { CodeBlockView } from "./views/code-block-view.tsx";
import { EmbedView } from "./views/embed-view.tsx";
import { ImageView } from "./views/image-view.tsx";
import { listItemView } from "./views/list-item-view.ts";

const VIEWS: Readonly<Record<string, ComponentType<ReactNodeViewProps>>> = {
  callout: CalloutView,
  codeBlock: CodeBlockView,
  embed: EmbedView,
  image: ImageView,
};

/** The parts of a body, those that need it with controls of their own. */
export const shownExtensions: readonly AnyExtension[] = bodyExtensions.map((extension: AnyExtension): AnyExtension => {
  if (!(extension instanceof Node)) return extension;
  if (extension.name === "listItem") return extension.extend({ addNodeView: () => listItemView });
  const view = VIEWS[extension.name];
  return view === undefined ? extension : extension.extend({ addNodeView: () => ReactNodeViewRenderer<HTMLElement>(view) });
});
