import type { IMAGE_WIDTHS } from "@stet/contract";

/** The address of an image at a width that fits a list. Of an animation the first frame: a list that moves is hard to look at. */
export const smallImage = ({ url, contentType }: { url: string; contentType: string }, width: (typeof IMAGE_WIDTHS)[number]): string =>
  `${url}?w=${width}${contentType === "image/gif" ? "&fm=jpeg" : ""}`;
