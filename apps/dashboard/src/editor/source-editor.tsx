import { useEffect, useImperativeHandle, useRef } from "react";
import type { KeyboardEvent } from "react";
import type { BodyEditorProps } from "./body-editor-props.ts";
import { restoreLineEnds, withPlainLineEnds } from "./document/line-ends.ts";
import { measureSource } from "./document/measure-source.ts";
import "./editor.css";

const MEASURE_AFTER = 400;

/** The Markdown itself. A textarea: the system's own undo, spelling, dictation and screen readers work in it. */
export function SourceEditor({ ref, ...props }: BodyEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
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
    insertImage: ({ url, alt }) => insert(area.current, `![${alt.replace(/[[\]\\]/g, "\\$&")}](${url.includes(" ") ? `<${url}>` : url})`),
    scrollToHeading: (id) => {
      const heading = measureSource(area.current?.value ?? "").headings.find((found) => found.id === id);
      if (heading !== undefined && area.current !== null) goToLine(area.current, heading.line);
    },
  }));

  return (
    <textarea
      ref={area}
      className="source-editor"
      aria-label={`${props.label ?? "Body of the post"}, as Markdown`}
      defaultValue={withPlainLineEnds(props.initialMarkdown)}
      readOnly={props.readOnly}
      autoFocus={props.autofocus}
      spellCheck
      autoCapitalize="sentences"
      placeholder={props.placeholder ?? "Write in Markdown"}
      onChange={changed}
      onKeyDown={onKeyDown}
      onPaste={(event) => upload(props, area.current, event.clipboardData.files) && event.preventDefault()}
      onDrop={(event) => upload(props, area.current, event.dataTransfer.files) && event.preventDefault()}
    />
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

function upload(props: Omit<BodyEditorProps, "ref">, area: HTMLTextAreaElement | null, files: FileList): boolean {
  const images = [...files].filter(({ type }) => type.startsWith("image/"));
  for (const file of images) {
    props.onImageUpload(file).then(
      ({ url, alt }) => insert(area, `![${alt.replace(/[[\]\\]/g, "\\$&")}](${url})`),
      (error: unknown) => props.onUploadProblem?.(error, file),
    );
  }
  return images.length > 0;
}

function goToLine(area: HTMLTextAreaElement, line: number): void {
  const at = area.value.split("\n", line).join("\n").length + (line === 0 ? 0 : 1);
  area.focus();
  area.setSelectionRange(at, at);
  // Blurring and focusing scrolls to the cursor in every browser.
  area.blur();
  area.focus();
}
