import { Failure } from "#domain/failure";
import { editedSize } from "#domain/image-edit";
import { type Variant, variantSize } from "#domain/image-variant";
import type { Media } from "#domain/media";
import type { InWebsite } from "../../kernel/operation.ts";
import { originalOf } from "./original-of.ts";

/** An image small enough to be part of an answer, as readers see it. */
export interface SmallPicture {
  readonly contentType: "image/jpeg";
  readonly base64: string;
  readonly width: number;
  readonly height: number;
  /** It is so tall that only the part around its focal point fits. */
  readonly isCut: boolean;
}

const MOST_PIXELS_A_SIDE = 512;
const MOST_BYTES = 300_000;

/** Null: none can be made, or too many are being made right now. Whoever asks gets the facts all the same. */
export async function smallPicture({ services }: InWebsite, media: Media): Promise<SmallPicture | null> {
  const shown = editedSize(media, media.edit);
  const whole = ([480, 320, 160] as const)
    .map((width): Variant => ({ width, ratio: null, format: "jpeg" }))
    .find((each) => (variantSize(shown, each)?.height ?? Infinity) <= MOST_PIXELS_A_SIDE);
  const variant: Variant = whole ?? { width: 160, ratio: "9:16", format: "jpeg" };
  const original = await originalOf(services, media);
  const made = await services.imageProcessor.makeVariant(original, variant, media.edit).catch(unlessBusy);
  if (made === null || typeof made === "string" || made.byteLength > MOST_BYTES) return null;
  const size = variantSize(shown, variant)!;
  return { contentType: "image/jpeg", base64: Buffer.from(made).toString("base64"), ...size, isCut: !whole };
}

function unlessBusy(error: unknown): null {
  if (error instanceof Failure && (error.code === "UNAVAILABLE" || error.code === "RATE_LIMITED")) return null;
  throw error;
}
