import type { NodeViewRenderer } from "@tiptap/core";
import { choice, element, plainView, setAttributes, showIn, textField } from "./plain-view.ts";

const KINDS = [
  ["note", "Note"],
  ["tip", "Tip"],
  ["info", "Info"],
  ["warning", "Warning"],
  ["danger", "Danger"],
] as const;

export const calloutView: NodeViewRenderer = (props) => {
  const contentDOM = element("div", { class: "callout-body" });
  const kind = choice(props.editor, "Callout type", KINDS, (value) => setAttributes(props, { kind: value }));
  const attributes = { "aria-label": "Callout title", placeholder: "Title (optional)" };
  // The title stands between brackets on one line.
  const title = textField(props.editor, attributes, (value) => setAttributes(props, { title: value.replace(/[[\]\n]/g, "") }));
  const head = element("div", { class: "callout-head", contenteditable: "false" }, kind, title);
  const dom = element("aside", {}, head, contentDOM);
  return plainView(props, {
    dom,
    contentDOM,
    show: (node) => {
      dom.className = `callout callout-${String(node.attrs["kind"])}`;
      kind.value = String(node.attrs["kind"]);
      showIn(title, String(node.attrs["title"]));
    },
  });
};
