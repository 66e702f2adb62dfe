import type { KeyboardEvent } from "react";
import { type Box, moveBox, type Point, resizeBox } from "./geometry.ts";
import { arrowOf, useDrag } from "./image-stage.tsx";

const CORNERS = [
  { right: false, bottom: false, className: "top-0 left-0 cursor-nwse-resize" },
  { right: true, bottom: false, className: "top-0 right-0 cursor-nesw-resize" },
  { right: false, bottom: true, className: "bottom-0 left-0 cursor-nesw-resize" },
  { right: true, bottom: true, className: "right-0 bottom-0 cursor-nwse-resize" },
] as const;

const percent = (share: number): string => `${share * 100}%`;
const words = (share: number): string => `${Math.round(share * 100)}%`;

/** The part that is shown: moved by its middle and the arrow keys, resized by its corners and Shift with the arrow keys. */
export function CropBox({ box, shape, onChange }: { box: Box; shape: number | null; onChange: (box: Box) => void }) {
  const drag = useDrag((_, by) => onChange(moveBox(box, by)));
  const end: Point = { x: box.x + box.width, y: box.y + box.height };
  function press(event: KeyboardEvent) {
    const by = arrowOf(event);
    if (!by) return;
    // With a shape the width decides; the keys for the height change it as well.
    const wider = shape === null || by.x !== 0 ? by.x : by.y;
    if (event.shiftKey) onChange(resizeBox(box, { right: true, bottom: true }, { x: end.x + wider, y: end.y + by.y }, shape));
    else onChange(moveBox(box, by));
  }
  return (
    <button
      type="button"
      aria-label={`Crop: ${words(box.width)} × ${words(box.height)}, ${words(box.x)} from the left, ${words(box.y)} from the top. Arrow keys move it, Shift with arrow keys resizes it.`}
      className="absolute cursor-move outline-2 outline-white shadow-[0_0_0_9999px_rgb(0_0_0/0.55)] focus-visible:outline-accent"
      style={{ left: percent(box.x), top: percent(box.y), width: percent(box.width), height: percent(box.height) }}
      onKeyDown={press}
      {...drag}
    >
      {CORNERS.map((corner) => (
        <Corner key={corner.className} {...corner} onMove={(to) => onChange(resizeBox(box, corner, to, shape))} />
      ))}
    </button>
  );
}

function Corner({ className, onMove }: { className: string; onMove: (to: Point) => void }) {
  const drag = useDrag(onMove);
  return <span aria-hidden className={`absolute size-4 border border-black/50 bg-white ${className}`} {...drag} />;
}
