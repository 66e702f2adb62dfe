import "./editor.css";
import { useEffect, useImperativeHandle, useRef } from "react";
import type { KeyboardEvent } from "react";
import { uploadCard } from "./behaviour/upload-card.ts";
import type { BodyEditorProps, BodyImage, BodyPart } from "./body-editor-props.ts";
import { restoreLineEnds, withPlainLineEnds } from "./document/line-ends.ts";
import { blockLines, measureSource } from "./document/measure-source.ts";

const MEASURE_AFTER = 400;

/** The Markdown itself. A textarea: the system's own undo, spelling, dictation and screen readers work in it. */
export function SourceEditor({ ref, ...props }: BodyEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const cards = useRef<HTMLDivElement>(null);
  const original = useRef(props.initialMarkdown);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const markdown = (): string => restoreLineEnds(original.current, area.current?.value ?? "");

  const measure = (): void => {
    const { words, headings } = measureSource(area.current?.value ?? "");
    props.onWordCount?.(words);
    props.onOutline?.(headings.map(({ id, depth, text }) => ({ id, depth, text })));
  };
  const changed = (): void => {
    props.onChange(markdown);
    clearTimeout(timer.current);
    timer.current = setTimeout(measure, MEASURE_AFTER);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  useImperativeHandle(ref, () => ({
    getMarkdown: markdown,
    setMarkdown: (text) => {
      if (markdown() === text) return;
      original.current = text;
      if (area.current !== null) area.current.value = withPlainLineEnds(text);
    },
    focus: () => area.current?.focus(),
    insertImage: (image) => insert(area.current, imageSource(image)),
    goTo: (part) => {
      if (area.current !== null) select(area.current, rangeOf(area.current.value, part));
    },
    position: () => (area.current === null ? null : positionIn(area.current)),
  }));

  const upload = (files: FileList): boolean => {
    const images = [...files].filter(({ type }) => type.startsWith("image/"));
    for (const file of images) {
      const card: HTMLElement = uploadCard(file, props.onImageUpload, {
        arrived: (image) => {
          card.remove();
          insert(area.current, imageSource(image));
        },
        gone: () => {
          card.remove();
          area.current?.focus();
        },
      });
      cards.current?.append(card);
    }
    return images.length > 0;
  };

  return (
    <>
      <textarea
        ref={area}
        className="source-editor"
        dir="auto"
        aria-label={`${props.label ?? "Body of the post"}, as Markdown`}
        defaultValue={withPlainLineEnds(props.initialMarkdown)}
        readOnly={props.readOnly}
        autoFocus={props.autofocus}
        spellCheck
        autoCapitalize="sentences"
        placeholder={props.placeholder ?? "Write in Markdown"}
        onChange={changed}
        onKeyDown={onKeyDown}
        onPaste={(event) => upload(event.clipboardData.files) && event.preventDefault()}
        onDrop={(event) => upload(event.dataTransfer.files) && event.preventDefault()}
      />
      <div ref={cards} className="upload-cards" />
    </>
  );
}

/** Typed through the browser, so that its undo knows of it. */
function insert(area: HTMLTextAreaElement | null, text: string): void {
  if (area === null) return;
  area.focus();
  // The only way to change a textarea that its undo follows, whatever its name says.
  // oxlint-disable-next-line typescript/no-deprecated
  if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}

/** Tab indents; Escape then Tab leaves, as the keyboard's own rule is. */
function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const area = event.currentTarget;
  if (event.key === "Escape") area.dataset["tabLeaves"] = "";
  else if (event.key !== "Tab" && event.key !== "Shift") delete area.dataset["tabLeaves"];
  if (event.key !== "Tab" || event.nativeEvent.isComposing || area.dataset["tabLeaves"] !== undefined) return;
  event.preventDefault();
  const lineStart = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const lines = area.value.slice(lineStart, area.selectionEnd);
  if (!event.shiftKey && area.selectionStart === area.selectionEnd) return insert(area, "  ");
  const { selectionStart: start, selectionEnd: end } = area;
  const moved = event.shiftKey ? lines.replace(/^(?: {1,2}|\t)/gm, "") : lines.replace(/^(?!$)/gm, "  ");
  if (moved === lines) return;
  area.setSelectionRange(lineStart, end);
  insert(area, moved);
  const first = event.shiftKey ? Math.max(lineStart, start - 2) : start + 2;
  area.setSelectionRange(
    start === end ? first : Math.min(first, lineStart + moved.length),
    start === end ? first : lineStart + moved.length,
  );
}

const imageSource = ({ url, alt }: BodyImage): string => `![${alt.replace(/[[\]\\]/g, "\\$&")}](${url.includes(" ") ? `<${url}>` : url})`;

/** Where a piece of the text stands in its source; where it begins, if nothing of it is found. */
function rangeOf(source: string, { kind, value }: BodyPart): readonly [start: number, end: number] {
  if (kind === "heading" || kind === "block") {
    const heading = () => measureSource(source).headings.find(({ id }) => id === value)?.line;
    const line = (kind === "block" ? blockLines(source)[Number(value)] : heading()) ?? 0;
    const at = source.split("\n", line).join("\n").length + (line === 0 ? 0 : 1);
    return [at, at];
  }
  const withoutWords = `![](${value}`;
  const wanted = kind === "image" && source.includes(withoutWords) ? withoutWords : value;
  const at = source.indexOf(wanted);
  return at === -1 ? [0, 0] : [at, at + wanted.length];
}

function positionIn({ value, selectionStart }: HTMLTextAreaElement): BodyPart | null {
  const line = value.slice(0, selectionStart).split("\n").length - 1;
  const block = blockLines(value).findLastIndex((start) => start <= line);
  return block > 0 ? { kind: "block", value: String(block) } : null;
}

function select(area: HTMLTextAreaElement, [start, end]: readonly [number, number]): void {
  area.focus();
  area.setSelectionRange(start, end);
  // Blurring and focusing scrolls to the cursor in every browser.
  area.blur();
  area.focus();
}
