import { expect, test } from "vitest";
import { imageFindings } from "./images.ts";

test("the doctor says how many images still hold metadata, and how many always will", () => {
  const said = (unchecked: number, unreadable: number) =>
    imageFindings({ unchecked, unreadable }).map(({ verdict, message }) => `${verdict} ${message}`);
  expect(said(0, 0)).toEqual([expect.stringMatching(/^good /)]);
  expect(said(12, 3)).toEqual([
    expect.stringMatching(/^warning .*\b12 from an earlier version/),
    expect.stringMatching(/^warning .*\b3 cannot be removed/),
  ]);
});
