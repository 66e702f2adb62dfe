import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import type { Point, Rotation } from "./geometry.ts";

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How far an arrow key moves something: a hundredth of the image. Null: another key. */
export function arrowOf(event: KeyboardEvent): Point | null {
  const arrow = ARROWS[event.key];
  if (!arrow) return null;
  event.preventDefault();
  return { x: arrow.x / 100, y: arrow.y / 100 };
}

/** Where the pointer is, as shares of the stage that the element lies on. */
function pointOf(event: PointerEvent): Point {
  const stage = (event.currentTarget as HTMLElement).closest("[data-stage]")!.getBoundingClientRect();
  return { x: (event.clientX - stage.left) / stage.width, y: (event.clientY - stage.top) / stage.height };
}

/** Follows the pointer from where it was pressed, also outside of the element. */
export function useDrag(onMove: (to: Point, by: Point) => void) {
  const last = useRef<Point | null>(null);
  return {
    onPointerDown(event: PointerEvent) {
      event.stopPropagation();
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      last.current = pointOf(event);
    },
    onPointerMove(event: PointerEvent) {
      if (!last.current) return;
      const to = pointOf(event);
      onMove(to, { x: to.x - last.current.x, y: to.y - last.current.y });
      last.current = to;
    },
    onPointerUp: () => void (last.current = null),
    onPointerCancel: () => void (last.current = null),
  };
}

/** The whole image, rotated, with what is drawn over it. */
export function ImageStage({
  src,
  width,
  height,
  rotation,
  color,
  onPress,
  children,
}: {
  src: string;
  width: number;
  height: number;
  rotation: Rotation;
  /** Shown until the image is there. */
  color: string | null;
  onPress?: (at: Point) => void;
  children: ReactNode;
}) {
  const isOnItsSide = rotation % 180 !== 0;
  const shape = isOnItsSide ? height / width : width / height;
  return (
    <div className="grid place-items-center rounded-control border border-line bg-sunken p-3">
      <div
        data-stage
        className="relative touch-none overflow-hidden select-none [container-type:size]"
        style={{ aspectRatio: shape, width: `min(100%, ${shape * 48}vh)`, backgroundColor: color ?? undefined }}
        onPointerDown={(event) => onPress?.(pointOf(event))}
      >
        <img
          src={src}
          alt=""
          draggable={false}
          className="absolute top-1/2 left-1/2 max-w-none -translate-1/2"
          style={{ width: isOnItsSide ? "100cqh" : "100cqw", height: isOnItsSide ? "100cqw" : "100cqh", rotate: `${rotation}deg` }}
        />
        {children}
      </div>
    </div>
  );
}
