import { markdownParser } from "@stet/markdown";
import { footnoteSection } from "./footnote-section.ts";
import { taskLists } from "./task-lists.ts";

/** The grammar that the editor reads by too, and what only readers see: notes at the end, boxes before tasks. */
export const parser = markdownParser().use(footnoteSection).use(taskLists);
