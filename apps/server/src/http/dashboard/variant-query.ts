import { IMAGE_FORMATS, IMAGE_RATIOS, IMAGE_WIDTHS } from "@stet/contract";
import { fail } from "#domain/failure";
import type { Variant } from "#domain/image-variant";

const NAMES = ["w", "ar", "fm"];

/** The variant that `?w=&ar=&fm=` asks for; null: the image as it was uploaded. Whatever is not on the lists is refused. */
export function variantInQuery(text: string): Variant | null {
  if (text === "") return null;
  const query = new URLSearchParams(text);
  const names = [...query.keys()];
  const unknown = names.find((name, index) => !NAMES.includes(name) || names.indexOf(name) !== index);
  if (unknown !== undefined) {
    const parameter = unknown.slice(0, 50);
    throw fail("UNKNOWN_PARAMETER", `An image takes w, ar and fm, each once, and not "${parameter}".`, { parameter });
  }
  if (names.length === 0) return null;
  const width = IMAGE_WIDTHS.find((listed) => String(listed) === query.get("w"));
  if (width === undefined) throw wrong("w", IMAGE_WIDTHS);
  const ratio = IMAGE_RATIOS.find((listed) => listed === query.get("ar")) ?? null;
  if (ratio === null && query.has("ar")) throw wrong("ar", IMAGE_RATIOS);
  const format = IMAGE_FORMATS.find((listed) => listed === (query.get("fm") ?? "webp"));
  if (format === undefined) throw wrong("fm", IMAGE_FORMATS);
  return { width, ratio, format };
}

const wrong = (parameter: string, allowed: readonly (string | number)[]) =>
  fail("INVALID_PARAMETER", `"${parameter}" must be one of ${allowed.join(", ")}.`, { parameter, allowed });
