import { LIMITS } from "@stet/contract";
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { useEditorPage } from "../editor-context.tsx";

/** The title, as large as readers see it. Enter goes on to the text. */
export function TitleField({ onEnter, autoFocus }: { onEnter: () => void; autoFocus: boolean }) {
  const { content, autosave, readOnly } = useEditorPage();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    const fit = () => {
      area.style.height = "0";
      area.style.height = `${area.scrollHeight}px`;
    };
    fit();
    window.addEventListener("resize", fit);
    return () => window.removeEventListener("resize", fit);
  }, [content.title]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  const left = LIMITS.titleCharacters - [...content.title].length;
  return (
    <div data-field="title">
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Title"
        placeholder="Title"
        readOnly={readOnly !== null}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a new post begins with its title
        autoFocus={autoFocus}
        value={content.title}
        onKeyDown={onKeyDown}
        onChange={(event) => autosave.change({ title: cut(event.target.value.replaceAll(/[\n\r]+/g, " ")) })}
        className="block w-full resize-none overflow-hidden bg-transparent font-serif text-[2rem] leading-[1.15] font-medium tracking-tight outline-none placeholder:text-muted/70 sm:text-[2.6rem]"
      />
      {left <= 40 && <p className="mt-1 text-[0.8125rem] text-muted">{left === 0 ? "No characters left" : `${left} characters left`}</p>}
    </div>
  );
}

const cut = (title: string): string => [...title].slice(0, LIMITS.titleCharacters).join("");
