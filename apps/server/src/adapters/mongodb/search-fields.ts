import { foldWhole } from "#domain/fold";
import type { PostContent } from "#domain/post";

/** Characters of a body that search reads. */
const SEARCHED_CHARACTERS = 256 * 1024;

export const searchBody = (text: string): string => foldWhole(text.slice(0, SEARCHED_CHARACTERS).toWellFormed());

/** The fields of a live copy that search reads, folded: these servers know nothing of accents. */
export const searchFields = ({ title, excerpt }: Pick<PostContent, "title" | "excerpt">, text: string) => ({
  searchHead: foldWhole(`${title}\n${excerpt}`),
  searchBody: searchBody(text),
});
