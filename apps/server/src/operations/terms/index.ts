import { createTerm } from "./create-term.ts";
import { deleteTerm } from "./delete-term.ts";
import { editTerm } from "./edit-term.ts";
import { getTerm } from "./get-term.ts";
import { listTerms } from "./list-terms.ts";
import { mergeTerms } from "./merge-terms.ts";

export const operations = {
  list_terms: listTerms,
  get_term: getTerm,
  create_term: createTerm,
  edit_term: editTerm,
  merge_terms: mergeTerms,
  delete_term: deleteTerm,
} as const;
