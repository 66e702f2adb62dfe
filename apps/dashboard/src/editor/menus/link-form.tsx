import { isLinkable } from "@stet/markdown";
import { TextSelection } from "@tiptap/pm/state";
import type { Editor } from "@tiptap/react";
import { Check, ExternalLink, Unlink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { plainAddresses } from "../behaviour/auto-links.ts";
import { addressFrom } from "../behaviour/link-keys.ts";
import { addressesIn } from "../document/grammar.ts";
import { ToolButton } from "./tool-button.tsx";

/** Where a link leads. Enter keeps it, Escape leaves it as it was. */
export function LinkForm({ editor, href, takesFocus, onDone }: { editor: Editor; href: string; takesFocus: boolean; onDone: () => void }) {
  const [typed, setTyped] = useState(href);
  const [refused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.select();
  }, [takesFocus]);

  const close = (): void => {
    onDone();
    editor.commands.focus();
  };
  const keep = (): void => {
    if (typed.trim() === "") return remove();
    const address = addressFrom(typed);
    if (address === null) return setRefused(true);
    onDone();
    editor
      .chain()
      .focus()
      .extendMarkRange("link")
      .setMark("link", { href: address, title: null, bare: false })
      .command(({ tr }) => {
        // Writing goes on after the link.
        tr.setSelection(TextSelection.create(tr.doc, tr.selection.to));
        return true;
      })
      .run();
  };
  const remove = (): void => {
    onDone();
    editor
      .chain()
      .focus()
      .extendMarkRange("link")
      .command(({ tr: { doc, selection } }) => {
        const words = doc.textBetween(selection.from, selection.to);
        for (const { start, end } of addressesIn(words)) plainAddresses.get(editor)?.add(words.slice(start, end));
        return true;
      })
      .unsetMark("link")
      .run();
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <input
        ref={field}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          close();
        }}
        aria-label="Link address"
        aria-invalid={refused}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="Paste or type a link"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setRefused(false);
        }}
      />
      <ToolButton Icon={Check} label="Apply link" onPress={keep} />
      {href !== "" && (
        <>
          {isLinkable(href) && (
            <a href={href} target="_blank" rel="noopener noreferrer" aria-label="Open link in a new tab" title="Open in a new tab">
              <ExternalLink aria-hidden />
            </a>
          )}
          <ToolButton Icon={Unlink} label="Remove link" onPress={remove} />
        </>
      )}
      {refused && <p role="alert">This is not a valid link. Use one that starts with https://, mailto:, tel:, / or #.</p>}
    </form>
  );
}
