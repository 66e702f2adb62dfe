import { websiteOperation } from "../kernel/operation.ts";
import { termId } from "./helpers/term-input.ts";
import { findTerm, type TermView, withCount } from "./helpers/term-view.ts";

export const getTerm = websiteOperation({
  name: "get_term",
  summary: "Read a category, tag or author.",
  permission: "workspace.read",
  input: { termId },
  run: async (context, input): Promise<TermView> => withCount(context, await findTerm(context, input.termId)),
  activity: "none",
});
