import { useEditorState } from "@tiptap/react";
import type { Editor } from "@tiptap/react";
import { useEffect, useId, useRef, useState } from "react";
import { slashKeys, slashQuery } from "../behaviour/slash-menu.ts";
import { Floating } from "./floating.tsx";
import { matchingItems } from "./slash-items.ts";
import type { SlashItem } from "./slash-items.ts";

/** The blocks that can be put in, filtered by what is typed after the slash. The cursor stays in the text. */
export function SlashMenuList({ editor, items }: { editor: Editor; items: readonly SlashItem[] }) {
  const query = useEditorState({ editor, selector: ({ editor: { state } }) => slashQuery(state) });
  const id = useId();
  const [chosen, setChosen] = useState({ text: "", index: 0 });
  const shown = query === null ? [] : matchingItems(items, query);
  const index = query !== null && chosen.text === query.text ? Math.min(chosen.index, shown.length - 1) : 0;
  const list = useRef<HTMLDivElement>(null);

  const run = (item: SlashItem): void => {
    if (query === null) return;
    editor.chain().focus().deleteRange({ from: query.from, to: query.to }).run();
    item.run(editor);
  };

  useEffect(() => {
    slashKeys.set(editor, (event) => {
      if (query === null || shown.length === 0) return false;
      const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (move !== 0) setChosen({ text: query.text, index: (index + move + shown.length) % shown.length });
      else if (event.key === "Enter" || event.key === "Tab") run(shown[index]!);
      else return false;
      return true;
    });
    // Screen readers hear the chosen item, though the cursor stays in the text.
    const { dom } = editor.view;
    if (query !== null && shown.length > 0) dom.setAttribute("aria-activedescendant", `${id}-${index}`);
    else dom.removeAttribute("aria-activedescendant");
    list.current?.children[index]?.scrollIntoView({ block: "nearest" });
  });

  if (query === null || shown.length === 0) return null;
  return (
    <Floating editor={editor} from={query.from} to={query.from} side="below" className="slash-menu">
      <div ref={list} role="listbox" aria-label="Blocks">
        {shown.map((item, i) => (
          <div
            key={item.name}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === index}
            onMouseDown={(event) => {
              event.preventDefault();
              run(item);
            }}
            onMouseMove={() => i !== index && setChosen({ text: query.text, index: i })}
          >
            <item.Icon aria-hidden />
            <span>{item.name}</span>
            <small>{item.hint}</small>
          </div>
        ))}
      </div>
    </Floating>
  );
}
