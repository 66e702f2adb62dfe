import { keysOf } from "./content.ts";
import { parseUnsent, type BrowserStorage, type Unsent } from "./unsent.ts";

/** Unsent changes with the post that they belong to. */
export interface UnsentChanges extends Unsent {
  readonly postId: string;
  /** The tab in which they were typed. */
  readonly tabId: string;
}

const prefixOf = (userId: string): string => `stet.unsent/${userId}/`;

/** All unsent changes of one person in this browser, newest first. */
export function listUnsent(storage: BrowserStorage, userId: string): readonly UnsentChanges[] {
  return keysOfPerson(storage, userId)
    .flatMap((key) => {
      const unsent = parseUnsent(storage.getItem(key));
      const [postId = "", tabId = ""] = key.slice(prefixOf(userId).length).split("/");
      return unsent ? [{ ...unsent, postId, tabId }] : [];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

/** Deletes the unsent changes of a person who signs out, so that the next person at this browser does not find them. Those of other accounts stay. With `postId`, only those of the post. */
export function deleteUnsent(storage: BrowserStorage, userId: string, postId?: string): void {
  const prefix = postId === undefined ? prefixOf(userId) : `${prefixOf(userId)}${postId}/`;
  for (const key of keysOfPerson(storage, userId)) if (key.startsWith(prefix)) storage.removeItem(key);
}

/** Unsent changes as the text of a file that a person can read and copy from. */
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

const keysOfPerson = (storage: BrowserStorage, userId: string): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) => key.startsWith(prefixOf(userId)));
