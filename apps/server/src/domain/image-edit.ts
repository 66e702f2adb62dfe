import { z } from "zod";
import type { ImageSize } from "#domain/image-size";

/**
 * How an image is shown, kept as settings beside its bytes, which stay as they were uploaded. Crop and focal point are shares of the upright
 * image as it was uploaded, and rotation comes last: so each of the three can be changed, suggested and undone without the others.
 */
export interface ImageEdit {
  /** What stays in sight when a place in a page needs another shape; null: the middle. */
  readonly focalPoint: FocalPoint | null;
  /** The part that is shown; null: all of it. */
  readonly crop: Crop | null;
  /** Clockwise, in degrees. */
  readonly rotation: Rotation;
}

/** Settings with the number under which the ledger keeps them; it stands in the addresses of what is made by them. */
export interface NumberedEdit extends ImageEdit {
  readonly revision: number;
}

export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}
interface Crop extends FocalPoint, ImageSize {}

export const ROTATIONS = [0, 90, 180, 270] as const;
type Rotation = (typeof ROTATIONS)[number];

export const UNEDITED: ImageEdit = { focalPoint: null, crop: null, rotation: 0 };

/** Numbers of one image: more are refused, so that nobody can have variants without end made of it. */
export const MAX_REVISIONS = 1_000;

/** The smallest part that can be shown, as a share of a side. */
const SMALLEST = 0.01;
/** Ten thousandths: one pixel of an image of 10,000. The same settings are then the same numbers, wherever they were worked out. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

const share = z.number().min(0).max(1).transform(rounded);
export const focalPointInput = z.strictObject({ x: share, y: share });
export const cropInput = z
  .strictObject({ x: share, y: share, width: share, height: share })
  .refine(({ width, height }) => width >= SMALLEST && height >= SMALLEST, "must be at least 1% of the image on each side")
  .refine(({ x, y, width, height }) => rounded(x + width) <= 1 && rounded(y + height) <= 1, "must lie inside of the image");
export const rotationInput = z.literal(ROTATIONS, "must be 0, 90, 180 or 270");

export const editInput = z.object({ focalPoint: focalPointInput.nullable(), crop: cropInput.nullable(), rotation: rotationInput });
const numbered = z.object({ ...editInput.shape, revision: z.int().min(1).max(MAX_REVISIONS) });

/** What a content store has, which may be a customer's: whatever is no such settings is none. */
export const readEdit = (stored: unknown): NumberedEdit | null => numbered.safeParse(stored).data ?? null;

/** Settings that change nothing are none. */
export function editOf({ focalPoint, crop, rotation }: ImageEdit): ImageEdit | null {
  const isWhole = crop !== null && crop.width === 1 && crop.height === 1;
  return focalPoint || (crop && !isWhole) || rotation !== 0 ? { focalPoint, crop: isWhole ? null : crop, rotation } : null;
}

export const withoutRevision = ({ focalPoint, crop, rotation }: ImageEdit): ImageEdit => ({ focalPoint, crop, rotation });

/** Whether other pixels are shown than those that were uploaded; a focal point alone only matters where a ratio is asked for. */
export const changesPixels = (edit: ImageEdit | null): boolean => edit !== null && (edit.crop !== null || edit.rotation !== 0);

export interface Box extends ImageSize {
  readonly left: number;
  readonly top: number;
}

/** The part that is shown, in pixels of the upright image. */
function cropBox({ width, height }: ImageSize, { crop }: ImageEdit): Box {
  if (!crop) return { left: 0, top: 0, width, height };
  const left = Math.min(width - 1, Math.round(crop.x * width));
  const top = Math.min(height - 1, Math.round(crop.y * height));
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(crop.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(crop.height * height))),
  };
}

const isOnItsSide = ({ rotation }: ImageEdit): boolean => rotation === 90 || rotation === 270;
const turnedSize = ({ width, height }: ImageSize, edit: ImageEdit): ImageSize =>
  isOnItsSide(edit) ? { width: height, height: width } : { width, height };

/** How many pixels are shown, at most. */
export const editedSize = (image: ImageSize, edit: ImageEdit | null): ImageSize =>
  edit ? turnedSize(cropBox(image, edit), edit) : { width: image.width, height: image.height };

/** The focal point as a share of what is shown, for `object-position`; a point that was cropped away is at the nearest edge. */
export function shownFocalPoint(edit: ImageEdit | null): FocalPoint | null {
  if (!edit?.focalPoint) return null;
  const { x: left, y: top, width, height } = edit.crop ?? { x: 0, y: 0, width: 1, height: 1 };
  const within = (value: number) => rounded(Math.min(1, Math.max(0, value)));
  const [x, y] = [within((edit.focalPoint.x - left) / width), within((edit.focalPoint.y - top) / height)];
  const turned: Record<Rotation, FocalPoint> = {
    0: { x, y },
    90: { x: rounded(1 - y), y: x },
    180: { x: rounded(1 - x), y: rounded(1 - y) },
    270: { x: y, y: rounded(1 - x) },
  };
  return turned[edit.rotation];
}

/** What is cut out of the upright image for a part, of this size, of what is shown: around the focal point, as far as the edges let it. */
export function boxAround(image: ImageSize, edit: ImageEdit, part: ImageSize): Box {
  const crop = cropBox(image, edit);
  const shown = turnedSize(crop, edit);
  const { x, y } = shownFocalPoint(edit) ?? { x: 0.5, y: 0.5 };
  const from = (at: number, side: number, whole: number) => Math.max(0, Math.min(whole - side, Math.round(at * whole - side / 2)));
  const [left, top] = [from(x, part.width, shown.width), from(y, part.height, shown.height)];
  const [right, bottom] = [shown.width - left - part.width, shown.height - top - part.height];
  const unturned: Record<Rotation, readonly [left: number, top: number]> = {
    0: [left, top],
    90: [top, right],
    180: [right, bottom],
    270: [bottom, left],
  };
  const [across, down] = unturned[edit.rotation];
  return { left: crop.left + across, top: crop.top + down, ...turnedSize(part, edit) };
}
