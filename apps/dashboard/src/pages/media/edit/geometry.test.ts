import { expect, test } from "vitest";
import { type Box, boxOfShape, moveBox, opposite, resizeBox, turnBox, turnPoint } from "./geometry.ts";

const box: Box = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
const near = (given: Box) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Math.round(value * 1e6) / 1e6]));

test.each([0, 90, 180, 270] as const)("turned by %i and back, a part is where it was", (rotation) => {
  expect(near(turnBox(turnBox(box, rotation), opposite(rotation)))).toEqual(box);
});

test("turned clockwise, the top left corner is at the top right", () => {
  expect(turnPoint({ x: 0, y: 0 }, 90)).toEqual({ x: 1, y: 0 });
});

test("a part stays inside of the image and keeps its shape", () => {
  expect(near(moveBox(box, { x: 5, y: -5 }))).toEqual({ x: 0.7, y: 0, width: 0.3, height: 0.4 });
  expect(near(boxOfShape(0.5, { x: 0.9, y: 0.5 }))).toEqual({ x: 0.5, y: 0, width: 0.5, height: 1 });
  expect(near(resizeBox(box, { right: true, bottom: true }, { x: 3, y: 3 }, null))).toEqual({ x: 0.1, y: 0.2, width: 0.9, height: 0.8 });
  expect(near(resizeBox(box, { right: true, bottom: true }, { x: 3, y: 3 }, 2))).toEqual({ x: 0.1, y: 0.2, width: 0.9, height: 0.45 });
  expect(near(resizeBox(box, { right: false, bottom: false }, { x: 0.2, y: 0 }, null))).toEqual({ x: 0.2, y: 0, width: 0.2, height: 0.6 });
});
