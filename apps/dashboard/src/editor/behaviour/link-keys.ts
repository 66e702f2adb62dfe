import { isLinkable } from "@stet/markdown";
import { Extension, InputRule } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { editorSlot } from "./editor-slot.ts";

/** Who shows the form for a link. */
export const linkFormOpener = editorSlot<() => void>();

/** `[words](address)`, whose address may have brackets in pairs, as those of Wikipedia do. An image is left alone. */
const TYPED_LINK = /(?<!!)\[([^[\]]+)\]\(((?:[^\s()]|\([^\s()]*\))+)\)$/;

/**
 * ⌘K on selected text links it; without a selection the keys are left to the page. An address pasted over words links them, and
 * `[words](address)` becomes a link with its last bracket.
 */
export const LinkKeys = Extension.create({
  name: "linkKeys",
  addInputRules() {
    return [
      new InputRule({
        find: TYPED_LINK,
        handler: ({ state, range: { from, to }, match: [, words = "", address = ""] }) => {
          const href = addressFrom(address);
          if (href === null) return null;
          const link = state.schema.mark("link", { href });
          state.tr
            .delete(from + 1 + words.length, to)
            .delete(from, from + 1)
            .addMark(from, from + words.length, link)
            .removeStoredMark(link);
        },
      }),
    ];
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin({
        props: {
          handleKeyDown: ({ state, editable }, event) => {
            const isK = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
            if (!isK || state.selection.empty || !editable || state.selection.$from.parent.type.spec.code === true) return false;
            event.stopPropagation();
            linkFormOpener.get(editor)?.();
            return true;
          },
          handlePaste: (view, event) => {
            const text = event.clipboardData?.getData("text/plain").trim() ?? "";
            const { selection, schema } = view.state;
            const { from, to, empty, $from } = selection;
            if (
              empty ||
              !/^https?:\/\/\S+$/.test(text) ||
              !isLinkable(text) ||
              !$from.sameParent(selection.$to) ||
              $from.parent.type.spec.code
            )
              return false;
            view.dispatch(view.state.tr.addMark(from, to, schema.mark("link", { href: text })));
            return true;
          },
        },
      }),
    ];
  },
});

/** An address as it was meant: `example.com` is a website, not a file. Null when nothing can be linked to it. */
export function addressFrom(typed: string): string | null {
  const text = typed.trim();
  if (text === "" || /\s/.test(text)) return null;
  if (/^[^@/:?#]+@[^@/:?#]+\.[^@/:?#]+$/.test(text)) return `mailto:${text}`;
  if (/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u.test(text)) return `https://${text}`;
  return isLinkable(text) ? text : null;
}
