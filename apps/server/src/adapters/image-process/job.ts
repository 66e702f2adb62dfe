import type { ImageEdit } from "#domain/image-edit";
import type { Variant } from "#domain/image-variant";
import type { ImageDefect, InspectedImage } from "#ports/image-processor";

/** What the process is asked, one job at a time. */
export interface Job {
  readonly bytes: Uint8Array;
  /** To be made of it; without one the image is inspected. */
  readonly variant: Variant | null;
  /** Settings of the image, of which the variant is made. */
  readonly edit: ImageEdit | null;
}

/** What it answers. The first message says that it is ready, or why it never will be. */
export type FromProcess = { readonly ready: true } | { readonly broken: string } | { readonly answer: Answer };
export type Answer = InspectedImage | Uint8Array | ImageDefect;

/** Its exit code when a job took more memory than it is given. */
export const OUT_OF_MEMORY = 86;

/** Of the whole process, of which some 80 MB are there before any image. */
export const MEMORY_BYTES = 512 * 1024 * 1024;
