import { nameOf } from "../../kernel/inputs.ts";

/** What the image is called in lists; it is never a path. */
export const filenameInput = nameOf(200).refine((value) => !/[/\\]/.test(value), "must be a file name without folders");
