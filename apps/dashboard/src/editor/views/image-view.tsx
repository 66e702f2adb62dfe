import { NodeViewWrapper } from "@tiptap/react";
import type { ReactNodeViewProps } from "@tiptap/react";
import { ImageOff } from "lucide-react";

/** The image itself when it is ours; of one that lives elsewhere its address, since nothing is loaded from other hosts. */
export function ImageView({ node, updateAttributes, selected, editor }: ReactNodeViewProps) {
  const { src, alt } = node.attrs as { src: string; alt: string };
  const host = foreignHost(src);
  return (
    <NodeViewWrapper as="span" className="body-image" data-selected={selected || undefined} data-drag-handle="">
      {host === null ? (
        <img src={src} alt={alt} draggable={false} />
      ) : (
        <span className="foreign-image">
          <ImageOff aria-hidden />
          <span>{alt === "" ? "Image" : alt}</span>
          <small>{host}</small>
        </span>
      )}
      {editor.isEditable && (
        <span className="alt-text" contentEditable={false}>
          <input
            aria-label="Alternative text of the image"
            placeholder="Describe the image for those who cannot see it"
            value={alt}
            onChange={(event) => updateAttributes({ alt: event.target.value.replaceAll("\n", " ") })}
          />
        </span>
      )}
    </NodeViewWrapper>
  );
}

function foreignHost(src: string): string | null {
  const url = URL.parse(src, location.href);
  if (url === null) return "an address that cannot be read";
  return url.origin === location.origin || url.protocol === "blob:" ? null : url.host;
}
