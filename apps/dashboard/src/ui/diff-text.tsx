import type { DiffPart } from "@stet/markdown";
import { useState } from "react";
import { formatNumber } from "../lib/format.ts";

/** How many unchanged characters are shown around a change. Short unchanged parts are shown whole. */
const AROUND = 240;

/**
 * A text with its deletions and insertions; long unchanged parts are folded. `side` leaves one of the two out,
 * for texts side by side: there nothing is struck through, because neither has replaced the other.
 */
export function DiffText({ parts, side }: { parts: readonly DiffPart[]; side?: "before" | "after" }) {
  return (
    <div dir="auto" className="text-[0.9375rem] leading-relaxed break-words whitespace-pre-wrap">
      {parts.map((part, index) => {
        if ((side === "before" && part.type === "added") || (side === "after" && part.type === "removed")) return null;
        // Parts have no id: their index tells them apart.
        const key = `${index} ${part.type}`;
        if (part.type === "same") return <Same key={key} text={part.text} isFirst={index === 0} isLast={index === parts.length - 1} />;
        if (side === "before") {
          return (
            <mark key={key} className="rounded-sm bg-info-soft text-info">
              {part.text}
            </mark>
          );
        }
        if (part.type === "added") {
          return (
            <ins key={key} className="rounded-sm bg-ok-soft text-ok no-underline">
              {part.text}
            </ins>
          );
        }
        return (
          <del key={key} className="rounded-sm bg-danger-soft text-danger decoration-danger/50">
            {part.text}
          </del>
        );
      })}
    </div>
  );
}

function Same({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen || text.length <= AROUND * 3) return <span>{text}</span>;
  // Cut where a line ends, if there is one near.
  const head = isFirst ? "" : text.slice(0, lineEndAfter(text, AROUND));
  const tail = isLast ? "" : text.slice(lineStartBefore(text, text.length - AROUND));
  return (
    <span>
      {head}
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="my-1.5 block w-full rounded-md border border-dashed border-line px-3 py-1 text-left text-[0.8125rem] text-muted hover:bg-hover"
      >
        Show {formatNumber(text.length - head.length - tail.length)} unchanged characters
      </button>
      {tail}
    </span>
  );
}

function lineEndAfter(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 || end > at + AROUND ? at : end + 1;
}

function lineStartBefore(text: string, at: number): number {
  const start = text.lastIndexOf("\n", at);
  return start < at - AROUND ? at : start + 1;
}
