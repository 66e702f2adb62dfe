import { type Point, within } from "./geometry.ts";
import { arrowOf, useDrag } from "./image-stage.tsx";

/** What stays in sight: set by a click anywhere on the image, by drawing the dot, and by the arrow keys. */
export function FocalDot({ at, onChange }: { at: Point; onChange: (at: Point) => void }) {
  const drag = useDrag((to) => onChange(within(to)));
  return (
    <button
      type="button"
      aria-label={`Focal point: ${Math.round(at.x * 100)}% from the left, ${Math.round(at.y * 100)}% from the top. Arrow keys move it.`}
      className="absolute size-7 -translate-1/2 cursor-grab rounded-full border-2 border-white bg-accent/40 shadow-[0_0_0_1.5px_rgb(0_0_0/0.6)] outline-offset-3 active:cursor-grabbing"
      style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
      onKeyDown={(event) => {
        const by = arrowOf(event);
        const step = event.shiftKey ? 10 : 1;
        if (by) onChange(within({ x: at.x + by.x * step, y: at.y + by.y * step }));
      }}
      {...drag}
    />
  );
}
