import { NodeViewContent, NodeViewWrapper } from "@tiptap/react";
import type { ReactNodeViewProps } from "@tiptap/react";
import { CircleAlert, Info, Lightbulb, OctagonAlert, StickyNote } from "lucide-react";
import { CALLOUT_KINDS } from "../markdown/directives.ts";

const ICONS = { note: StickyNote, tip: Lightbulb, info: Info, warning: CircleAlert, danger: OctagonAlert } as const;
const NAMES = { note: "Note", tip: "Tip", info: "Info", warning: "Warning", danger: "Danger" } as const;

export function CalloutView({ node, updateAttributes, editor }: ReactNodeViewProps) {
  const kind = CALLOUT_KINDS.find((name) => name === node.attrs["kind"]) ?? "note";
  const Icon = ICONS[kind];
  return (
    <NodeViewWrapper as="aside" className={`callout callout-${kind}`}>
      <div className="callout-head" contentEditable={false}>
        <Icon aria-hidden />
        <select
          aria-label="Kind of callout"
          value={kind}
          disabled={!editor.isEditable}
          onChange={(event) => updateAttributes({ kind: event.target.value })}
        >
          {CALLOUT_KINDS.map((name) => (
            <option key={name} value={name}>
              {NAMES[name]}
            </option>
          ))}
        </select>
        <input
          aria-label="Title of the callout"
          placeholder="Title (optional)"
          value={String(node.attrs["title"])}
          readOnly={!editor.isEditable}
          // The title stands between brackets on one line.
          onChange={(event) => updateAttributes({ title: event.target.value.replace(/[[\]\n]/g, "") })}
        />
      </div>
      <NodeViewContent className="callout-body" />
    </NodeViewWrapper>
  );
}
