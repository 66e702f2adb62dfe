import type { NodeViewRenderer } from "@tiptap/core";
import { element, plainView, setAttributes, showIn, textField } from "./plain-view.ts";

/** The image itself when it is ours; of one that lives elsewhere its address, since nothing is loaded from other hosts. */
export const imageView: NodeViewRenderer = (props) => {
  const picture = element("img", { draggable: "false", loading: "lazy", decoding: "async" });
  const words = element("span");
  const host = element("small");
  const foreign = element("span", { class: "foreign-image" }, words, host);
  const attributes = { "aria-label": "Alt text of the image", placeholder: "Describe the image for people who cannot see it" };
  const alt = textField(props.editor, attributes, (value) => setAttributes(props, { alt: value }));
  const dom = element("span", { class: "body-image" }, element("span", { class: "alt-text", contenteditable: "false" }, alt));
  return plainView(props, {
    dom,
    show: (node) => {
      const { src, alt: text } = node.attrs as { src: string; alt: string };
      const elsewhere = foreignHost(src);
      if (elsewhere === null && picture.getAttribute("src") !== src) picture.src = src;
      picture.alt = text;
      words.textContent = text === "" ? "Image" : text;
      host.textContent = elsewhere;
      const shown = elsewhere === null ? picture : foreign;
      if (dom.firstElementChild !== shown) {
        picture.remove();
        foreign.remove();
        dom.prepend(shown);
      }
      showIn(alt, text);
    },
  });
};

function foreignHost(src: string): string | null {
  const url = URL.parse(src, location.href);
  if (url === null) return "address cannot be read";
  return url.origin === location.origin || url.protocol === "blob:" ? null : url.host;
}
