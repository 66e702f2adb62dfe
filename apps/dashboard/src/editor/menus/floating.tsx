import type { Editor } from "@tiptap/react";
import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";

const SPACE = 8;

/** A panel at a piece of the text. It scrolls with the text, and turns to the other side where there is no room. */
export function Floating({
  editor,
  from,
  to,
  side,
  className,
  label,
  children,
}: {
  editor: Editor;
  from: number;
  to: number;
  side: "above" | "below";
  className: string;
  label?: string;
  children: ReactNode;
}) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = panel.current;
    const frame = element?.offsetParent;
    if (element === null || frame == null || editor.isDestroyed) return;
    const end = Math.min(to, editor.state.doc.content.size);
    const start = editor.view.coordsAtPos(Math.min(from, end));
    const stop = editor.view.coordsAtPos(end, -1);
    const origin = frame.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const above = start.top - height - SPACE;
    const below = stop.bottom + SPACE;
    const fitsAbove = above > 0;
    const fitsBelow = below + height < window.innerHeight;
    const top = side === "above" ? (fitsAbove || !fitsBelow ? above : below) : fitsBelow || !fitsAbove ? below : above;
    const middle = side === "above" && from < to && start.top === stop.top ? (start.left + stop.left - width) / 2 : start.left;
    const left = Math.max(SPACE, Math.min(middle, window.innerWidth - width - SPACE));
    element.style.top = `${top - origin.top}px`;
    element.style.left = `${left - origin.left}px`;
  });
  return (
    <div
      ref={panel}
      className={`editor-floating ${className}`}
      {...(label !== undefined && { role: "toolbar", "aria-label": label, onKeyDown: (event) => walk(event, editor) })}
    >
      {children}
    </div>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The arrows walk along a toolbar, and Escape goes back to the text. */
function walk(event: KeyboardEvent<HTMLElement>, editor: Editor): void {
  const step = STEPS[event.key];
  if (step === undefined && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  if (step === undefined) return editor.view.focus();
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  buttons.at((buttons.findIndex((button) => button === event.target) + step) % buttons.length)?.focus();
}
