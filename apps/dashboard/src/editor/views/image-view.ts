import type { FigureWidth } from "@stet/markdown";
import type { NodeViewRenderer, NodeViewRendererProps } from "@tiptap/core";
import { redo, undo } from "@tiptap/pm/history";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { moveBelowImage } from "../behaviour/move-below-image.ts";
import { element, plainView, setAttributes, showIn, textField } from "./plain-view.ts";

const WIDTHS: readonly (readonly [width: FigureWidth, name: string])[] = [
  [null, "Normal"],
  ["wide", "Wide"],
  ["full", "Full"],
];

/**
 * The image itself when it is ours; of one that lives elsewhere its address, since nothing is loaded from other hosts. Below it are its
 * words and, when it is alone in its paragraph, its caption and its width.
 */
export const imageView: NodeViewRenderer = (props) => {
  const picture = element("img", { draggable: "false", loading: "lazy", decoding: "async" });
  const words = element("span");
  const host = element("small");
  const foreign = element("span", { class: "foreign-image" }, words, host);
  const captionWords = { "aria-label": "Caption of the image", placeholder: "Add a caption", class: "image-caption", rows: "1" };
  const caption = textField(
    props.editor,
    captionWords,
    // A caption is one line of Markdown.
    (value) => typed({ title: value.replace(/\s*\n\s*/g, " ") || null }),
    "textarea",
  );
  const altWords = { "aria-label": "Alt text of the image", placeholder: "Describe the image for people who cannot see it" };
  const alt = textField(props.editor, altWords, (value) => typed({ alt: value }));
  const widths = WIDTHS.map(([width, name]) => widthButton(name, () => setAttributes(props, { width })));
  const tools = element(
    "span",
    { class: "image-tools" },
    alt,
    element("span", { class: "image-widths", role: "group", "aria-label": "Width of the image" }, ...widths),
  );
  const dom = element("span", { class: "body-image" }, element("span", { class: "image-words", contenteditable: "false" }, caption, tools));
  const typed = typing(props);
  let shown = { alt: "", title: "" };
  dom.addEventListener("keydown", (event) => {
    if (leaveByKey(props, event) || !undoByKey(props, event)) return;
    alt.value = shown.alt;
    caption.value = shown.title;
  });
  return plainView(props, {
    dom,
    show: (node) => {
      const { src, alt: text, title, width } = node.attrs as { src: string; alt: string; title: string | null; width: FigureWidth };
      const elsewhere = foreignHost(src);
      if (elsewhere === null && picture.getAttribute("src") !== src) picture.src = src;
      picture.alt = text;
      words.textContent = text === "" ? "Image" : text;
      host.textContent = elsewhere;
      const image = elsewhere === null ? picture : foreign;
      if (dom.firstElementChild !== image) {
        picture.remove();
        foreign.remove();
        dom.prepend(image);
      }
      shown = { alt: text, title: title ?? "" };
      showIn(alt, shown.alt);
      showIn(caption, shown.title);
      widths.forEach((button, i) => button.setAttribute("aria-pressed", String(WIDTHS[i]![0] === width)));
    },
  });
};

function widthButton(name: string, press: () => void): HTMLButtonElement {
  const button = element("button", { type: "button" }, name);
  // The image stays selected.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", press);
  return button;
}

/** How long after a letter the next one is another step of undo, in milliseconds: as in the text. */
const PAUSE = 500;

/** Changes attributes letter by letter; what is typed without a pause is one step of undo. */
function typing(props: NodeViewRendererProps): (attributes: Readonly<Record<string, unknown>>) => void {
  let step = {};
  let last = 0;
  return (attributes) => {
    const now = performance.now();
    if (now - last > PAUSE) step = {};
    last = now;
    setAttributes(props, attributes, step);
  };
}

const isMod = (event: KeyboardEvent): boolean => (event.ctrlKey || event.metaKey) && !event.altKey;

/** Undo and redo are those of the text, also while a field or a button has the focus. */
function undoByKey({ editor }: NodeViewRendererProps, event: KeyboardEvent): boolean {
  const pressed = event.key.toLowerCase();
  if (!isMod(event) || (pressed !== "z" && pressed !== "y")) return false;
  event.preventDefault();
  (pressed === "y" || event.shiftKey ? redo : undo)(editor.state, editor.view.dispatch);
  return true;
}

/** Enter goes on writing below the image, Escape back to the image. */
function leaveByKey({ editor, getPos }: NodeViewRendererProps, event: KeyboardEvent): boolean {
  const pos = getPos();
  const isField = event.target instanceof HTMLElement && event.target.matches("input, textarea");
  if (pos === undefined || event.isComposing || (event.key !== "Escape" && !(event.key === "Enter" && isField))) return false;
  event.preventDefault();
  event.stopPropagation();
  const { tr } = editor.state;
  if (event.key === "Escape") tr.setSelection(NodeSelection.create(tr.doc, pos));
  else moveBelowImage(tr.setSelection(TextSelection.create(tr.doc, pos + 1)), pos + 1);
  editor.view.dispatch(tr);
  editor.view.focus();
  return true;
}

function foreignHost(src: string): string | null {
  const url = URL.parse(src, location.href);
  if (url === null) return "address cannot be read";
  return url.origin === location.origin || url.protocol === "blob:" ? null : url.host;
}
