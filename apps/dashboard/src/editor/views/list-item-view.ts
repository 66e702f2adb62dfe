import type { NodeViewRenderer } from "@tiptap/core";

/** An item, with a box when it is a task. Plain DOM: a long list has many of them. */
export const listItemView: NodeViewRenderer = ({ node, editor, getPos }) => {
  const dom = document.createElement("li");
  const contentDOM = document.createElement("div");
  let box: HTMLInputElement | null = null;

  const show = (checked: unknown): void => {
    if (checked === null) {
      box?.parentElement?.remove();
      box = null;
      delete dom.dataset["checked"];
      return;
    }
    if (box === null) {
      const label = document.createElement("label");
      label.contentEditable = "false";
      box = document.createElement("input");
      box.type = "checkbox";
      box.setAttribute("aria-label", "Done");
      box.addEventListener("change", tick);
      label.append(box);
      dom.prepend(label);
    }
    box.checked = checked === true;
    dom.dataset["checked"] = checked === true ? "true" : "false";
  };
  const tick = (): void => {
    const pos = getPos();
    if (pos === undefined || box === null) return;
    const checked = box.checked;
    if (!editor.isEditable) {
      box.checked = !checked;
      return;
    }
    editor.view.dispatch(editor.state.tr.setNodeAttribute(pos, "checked", checked));
  };

  dom.append(contentDOM);
  show(node.attrs["checked"]);
  return {
    dom,
    contentDOM,
    update: (updated) => {
      if (updated.type !== node.type) return false;
      show(updated.attrs["checked"]);
      return true;
    },
    // The box is ours; the editor need not read it.
    ignoreMutation: (mutation) => mutation.type !== "selection" && !contentDOM.contains(mutation.target),
    stopEvent: (event) => event.target === box,
  };
};
