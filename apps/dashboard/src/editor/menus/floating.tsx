import type { Editor } from "@tiptap/react";
import { useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";

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
    const middle = side === "above" && start.top === stop.top ? (start.left + stop.left - width) / 2 : start.left;
    const left = Math.max(SPACE, Math.min(middle, window.innerWidth - width - SPACE));
    element.style.top = `${top - origin.top}px`;
    element.style.left = `${left - origin.left}px`;
  });
  return (
    <div ref={panel} className={`editor-floating ${className}`} {...(label !== undefined && { role: "toolbar", "aria-label": label })}>
      {children}
    </div>
  );
}
