import type { DiffPart } from "./word-diff.ts";

/** A text with what was taken out and put in. `side` leaves one of the two out, for texts side by side. */
export function DiffText({ parts, side }: { parts: readonly DiffPart[]; side?: "before" | "after" }) {
  return (
    <div className="text-[0.9375rem] leading-relaxed break-words whitespace-pre-wrap">
      {parts.map((part, index) => {
        if ((side === "before" && part.type === "added") || (side === "after" && part.type === "removed")) return null;
        // Parts have no name of their own: their place is what tells them apart.
        const key = `${index} ${part.type}`;
        if (part.type === "same") return <span key={key}>{part.text}</span>;
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
