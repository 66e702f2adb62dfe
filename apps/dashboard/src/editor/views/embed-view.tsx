import { NodeViewWrapper } from "@tiptap/react";
import type { ReactNodeViewProps } from "@tiptap/react";
import { Play } from "lucide-react";
import { useState } from "react";
import { attributesOf } from "../markdown/directive-line.ts";
import { embedKindOf, isEmbed } from "../markdown/embeds.ts";

const NAMES: Readonly<Record<string, string>> = { youtube: "YouTube", vimeo: "Vimeo", codepen: "CodePen", x: "X", gist: "GitHub Gist" };

/** What is embedded, by name: nothing is loaded from other hosts while a post is written. */
export function EmbedView(props: ReactNodeViewProps) {
  const { name, attributes } = props.node.attrs as { name: string; attributes: string };
  return (
    <NodeViewWrapper className="embed-card" contentEditable={false} data-drag-handle="">
      {isEmbed(name, attributes) ? <Embedded {...props} /> : <AskForAddress {...props} />}
    </NodeViewWrapper>
  );
}

function Embedded({ node, updateAttributes, editor }: ReactNodeViewProps) {
  const { name, label, attributes } = node.attrs as { name: string; label: string; attributes: string };
  const given = attributesOf(attributes);
  return (
    <>
      <span className="embed-icon">
        <Play aria-hidden />
      </span>
      <span className="embed-words">
        <strong>{NAMES[name] ?? name}</strong>
        <span>{given["url"] ?? [given["user"], given["id"]].filter(Boolean).join(" / ")}</span>
      </span>
      <input
        aria-label="Title of the embed, for screen readers"
        placeholder="Title, read out to those who cannot see it"
        value={label}
        readOnly={!editor.isEditable}
        onChange={(event) => updateAttributes({ label: event.target.value.replace(/[[\]\n]/g, "") })}
      />
    </>
  );
}

function AskForAddress({ updateAttributes, editor, getPos }: ReactNodeViewProps) {
  const [address, setAddress] = useState("");
  const [refused, setRefused] = useState(false);
  const take = (): void => {
    const trimmed = address.trim();
    const kind = embedKindOf(trimmed);
    // Quotes and braces would end the attribute; no address of these services has them.
    if (kind === null || /["{}]/.test(trimmed)) return setRefused(true);
    updateAttributes({ name: kind, attributes: `url="${trimmed}"` });
    const pos = getPos();
    if (pos !== undefined) editor.commands.focus(pos + 1);
  };
  return (
    <form
      className="embed-ask"
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <input
        autoFocus
        type="url"
        aria-label="Address to embed"
        aria-invalid={refused}
        placeholder="Address at YouTube, Vimeo, CodePen, X or GitHub Gist"
        value={address}
        onChange={(event) => {
          setAddress(event.target.value);
          setRefused(false);
        }}
      />
      <button type="submit">Embed</button>
      {refused && <p role="alert">This is not the address of a video, pen, post or gist. Copy it from the browser’s address bar.</p>}
    </form>
  );
}
