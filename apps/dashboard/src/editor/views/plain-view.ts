import type { Editor, NodeViewRendererProps } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { NodeView } from "@tiptap/pm/view";

/** An element with its attributes and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (HTMLElement | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Views of plain DOM: a long post has hundreds of them, and React would draw all of them again for each one that is added.
 * `show` brings the controls up to date; what people do in them is theirs, not the editor's.
 */
export function plainView(
  { node }: NodeViewRendererProps,
  parts: { readonly dom: HTMLElement; readonly contentDOM?: HTMLElement; readonly show: (node: Node) => void },
): NodeView {
  const { dom, contentDOM, show } = parts;
  show(node);
  return {
    dom,
    ...(contentDOM && { contentDOM }),
    update: (updated) => {
      if (updated.type !== node.type) return false;
      show(updated);
      return true;
    },
    stopEvent: ({ target }) => target instanceof HTMLElement && target.closest("input, textarea, select, button, option") !== null,
    ignoreMutation: (mutation) => mutation.type !== "selection" && contentDOM?.contains(mutation.target) !== true,
  };
}

/** Changes some attributes of the block that a view shows. Changes of one `step` are undone together. */
export function setAttributes(
  { editor, getPos }: NodeViewRendererProps,
  attributes: Readonly<Record<string, unknown>>,
  step?: object,
): void {
  const pos = getPos();
  if (pos === undefined || !editor.isEditable) return;
  const { tr } = editor.state;
  for (const [name, value] of Object.entries(attributes)) tr.setNodeAttribute(pos, name, value);
  // The history keeps what belongs to one composition together.
  if (step !== undefined) tr.setMeta("composition", step);
  editor.view.dispatch(tr);
}

/** A field in a view. While it has the focus, what is typed stays as it is typed. */
export function textField<K extends "input" | "textarea" = "input">(
  editor: Editor,
  attributes: Readonly<Record<string, string>>,
  onInput: (value: string) => void,
  tag: K = "input" as K,
): HTMLElementTagNameMap[K] {
  const field = element(tag, attributes);
  field.addEventListener("focus", () => void (field.readOnly = !editor.isEditable));
  field.addEventListener("input", () => onInput(field.value));
  return field;
}

export function choice(
  editor: Editor,
  label: string,
  options: readonly (readonly [value: string, name: string])[],
  onChange: (value: string) => void,
): HTMLSelectElement {
  const select = element("select", { "aria-label": label }, ...options.map(([value, name]) => element("option", { value }, name)));
  select.disabled = !editor.isEditable;
  select.addEventListener("change", () => onChange(select.value));
  return select;
}

/** Shows a value, unless somebody is typing it. */
export function showIn(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  if (field.value !== value && document.activeElement !== field) field.value = value;
}
