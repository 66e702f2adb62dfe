/** Shares of a side, from 0 to 1. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}
export type Rotation = 0 | 90 | 180 | 270;

export const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };
const SMALLEST = 0.02;

/** Settings are kept as shares of the image as it was uploaded, and edited on the image as it is shown: rotated clockwise by so much. */
export function turnBox({ x, y, width, height }: Box, rotation: Rotation): Box {
  if (rotation === 90) return { x: 1 - y - height, y: x, width: height, height: width };
  if (rotation === 180) return { x: 1 - x - width, y: 1 - y - height, width, height };
  if (rotation === 270) return { x: y, y: 1 - x - width, width: height, height: width };
  return { x, y, width, height };
}

export function turnPoint(point: Point, rotation: Rotation): Point {
  const { x, y } = turnBox({ ...point, width: 0, height: 0 }, rotation);
  return { x, y };
}

export const opposite = (rotation: Rotation): Rotation => ((360 - rotation) % 360) as Rotation;

const between = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
export const within = ({ x, y }: Point): Point => ({ x: between(x, 0, 1), y: between(y, 0, 1) });

/** Moved as far as the edges let it. */
export const moveBox = (box: Box, by: Point): Box => ({
  ...box,
  x: between(box.x + by.x, 0, 1 - box.width),
  y: between(box.y + by.y, 0, 1 - box.height),
});

/** The largest part of this shape around a point. `shape`: width through height, in shares: a ratio divided by that of the image. */
export function boxOfShape(shape: number, around: Point): Box {
  const [width, height] = shape > 1 ? [1, 1 / shape] : [shape, 1];
  return moveBox({ x: around.x - width / 2, y: around.y - height / 2, width, height }, { x: 0, y: 0 });
}

/** The part whose one corner was drawn to a point; the opposite one stays. With a shape the width decides, if its height fits. */
export function resizeBox(box: Box, corner: { readonly right: boolean; readonly bottom: boolean }, to: Point, shape: number | null): Box {
  const fixed: Point = { x: corner.right ? box.x : box.x + box.width, y: corner.bottom ? box.y : box.y + box.height };
  const room: Point = { x: corner.right ? 1 - fixed.x : fixed.x, y: corner.bottom ? 1 - fixed.y : fixed.y };
  const drawn: Point = { x: corner.right ? to.x - fixed.x : fixed.x - to.x, y: corner.bottom ? to.y - fixed.y : fixed.y - to.y };
  const least = shape === null ? SMALLEST : Math.max(SMALLEST, SMALLEST * shape);
  let width = between(drawn.x, Math.min(least, room.x), shape === null ? room.x : Math.min(room.x, room.y * shape));
  const height = shape === null ? between(drawn.y, Math.min(SMALLEST, room.y), room.y) : width / shape;
  width = between(width, 0, 1);
  return { x: corner.right ? fixed.x : fixed.x - width, y: corner.bottom ? fixed.y : fixed.y - height, width, height };
}
