import type { IMAGE_WIDTHS } from "@stet/contract";

/** The address of an image, as readers see it, at a width that fits a place. Of an animation the first frame: a list that moves is hard to look at. */
export const smallImage = (
  { shownUrl, contentType }: { shownUrl: string; contentType: string },
  width: (typeof IMAGE_WIDTHS)[number],
): string => `${shownUrl}?w=${width}${contentType === "image/gif" ? "&fm=jpeg" : ""}`;
