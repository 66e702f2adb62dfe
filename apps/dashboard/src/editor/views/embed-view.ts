import { attributesOf, embedAt, embedOf } from "@stet/markdown";
import type { NodeViewRenderer, NodeViewRendererProps } from "@tiptap/core";
import { Selection } from "@tiptap/pm/state";
import { element, plainView, setAttributes, showIn, textField } from "./plain-view.ts";

const NAMES: Readonly<Record<string, string>> = { youtube: "YouTube", vimeo: "Vimeo", codepen: "CodePen", x: "X", gist: "GitHub Gist" };

/** What is embedded, by name: nothing is loaded from other hosts while a post is written. Until it has an address, it asks for one. */
export const embedView: NodeViewRenderer = (props) => {
  const name = element("strong");
  const address = element("span");
  const attributes = { "aria-label": "Embed title, for screen readers", placeholder: "Title for screen readers" };
  const label = textField(props.editor, attributes, (value) => setAttributes(props, { label: value.replace(/[[\]\n]/g, "") }));
  const icon = element("span", { class: "embed-icon", "aria-hidden": "true" }, "▶");
  const known = [icon, element("span", { class: "embed-words" }, name, address), label];
  const ask = askForAddress(props);
  const dom = element("div", { class: "embed-card", contenteditable: "false" });
  return plainView(props, {
    dom,
    show: (node) => {
      const attrs = node.attrs as { name: string; label: string; attributes: string };
      const given = attributesOf(attrs.attributes);
      const isKnown = embedOf(attrs.name, given) !== null;
      name.textContent = NAMES[attrs.name] ?? attrs.name;
      address.textContent = given["url"] ?? [given["user"], given["id"]].filter(Boolean).join(" / ");
      showIn(label, attrs.label);
      if (!isKnown && !ask.isConnected) setTimeout(() => ask.querySelector("input")?.focus());
      if (isKnown ? !label.isConnected : !ask.isConnected) dom.replaceChildren(...(isKnown ? known : [ask]));
    },
  });
};

function askForAddress(props: NodeViewRendererProps): HTMLElement {
  const problem = element("p", { role: "alert" });
  const field = textField(
    props.editor,
    { type: "url", "aria-label": "Link to embed", placeholder: "Paste a YouTube, Vimeo, CodePen, X or GitHub Gist link" },
    () => void (problem.textContent = ""),
  );
  const button = element("button", { type: "button" }, "Embed");
  const take = (): void => {
    const address = field.value.trim();
    const embed = embedAt(address);
    // Quotes and braces would end the attribute; no address of these services has them.
    if (embed === null || /["{}]/.test(address)) {
      problem.textContent = "This is not a link to a video, pen, post or gist. Copy it from your browser’s address bar.";
      return;
    }
    setAttributes(props, { name: embed.kind, attributes: `url="${address}"` });
    const { editor } = props;
    const pos = props.getPos();
    if (pos === undefined) return;
    editor.view.dispatch(editor.state.tr.setSelection(Selection.near(editor.state.doc.resolve(pos + 1))));
    editor.view.focus();
  };
  button.addEventListener("click", take);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    take();
  });
  return element("div", { class: "embed-ask" }, field, button, problem);
}
