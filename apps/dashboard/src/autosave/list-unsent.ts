import { keysOf } from "./content.ts";
import { parseUnsent, type Shelf, type Unsent } from "./unsent.ts";

/** What a person wrote in this browser and the server has not acknowledged, with the post that it belongs to. */
export interface UnsentText extends Unsent {
  readonly postId: string;
  /** The page it was typed on. */
  readonly deskId: string;
}

const prefixOf = (userId: string): string => `stet.unsent/${userId}/`;

/** Of one person, on whatever page; newest first. */
export function unsentOf(shelf: Shelf, userId: string): readonly UnsentText[] {
  return keysOfPerson(shelf, userId)
    .flatMap((key) => {
      const unsent = parseUnsent(shelf.getItem(key));
      const [postId = "", deskId = ""] = key.slice(prefixOf(userId).length).split("/");
      return unsent ? [{ ...unsent, postId, deskId }] : [];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

/** For whoever leaves: the next person at this browser must not find it. Nothing of other accounts is touched. */
export function forgetUnsentOf(shelf: Shelf, userId: string): void {
  for (const key of keysOfPerson(shelf, userId)) shelf.removeItem(key);
}

/** As a file that a person can read and copy from. */
export const unsentAsText = (entries: readonly Unsent[]): string => entries.map(entryAsText).join("\n\n---\n\n");

function entryAsText({ patch, at }: Unsent): string {
  const others = keysOf(patch).filter((key) => key !== "title" && key !== "body");
  return [
    `# ${patch.title ?? "A post whose title was not changed"}`,
    `Typed until ${at}, not saved.`,
    ...others.map((key) => `${key}: ${JSON.stringify(patch[key])}`),
    ...(patch.body === undefined ? [] : ["", patch.body]),
  ].join("\n");
}

const keysOfPerson = (shelf: Shelf, userId: string): string[] =>
  Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? "").filter((key) => key.startsWith(prefixOf(userId)));
