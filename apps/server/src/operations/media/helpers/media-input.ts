import { nameOf } from "../../kernel/inputs.ts";

/** The name of the image in lists; it is never a path. */
export const filenameInput = nameOf(200).refine((value) => !/[/\\]/.test(value), "must be a file name without folders");
