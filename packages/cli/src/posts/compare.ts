import { isDeepStrictEqual } from "node:util";
import { shownLine } from "../session/shown.ts";
import type { PostContent } from "./post-file.ts";
import { contentOf, type RemotePost, type Term } from "./remote-posts.ts";
import { quote, type Value } from "./yaml-value.ts";

/** What to send so that the post is as in the file, in the words of the tools; only what differs. */
export function changesOf(file: Partial<PostContent>, post: RemotePost): Partial<PostContent> {
  const changes: Record<string, unknown> = {};
  for (const key of ["title", "slug", "excerpt", "featured", "coverImage", "coverAlt", "body"] as const) {
    if (file[key] !== undefined && file[key] !== post[key]) changes[key] = file[key];
  }
  for (const key of ["categories", "tags", "authors"] as const) {
    const texts = file[key];
    if (texts && !areThese(texts, post[key])) changes[key] = texts;
  }
  const seo = Object.entries(file.seo ?? {}).filter(([key, value]) => value !== post.seo[key]);
  if (seo.length > 0) changes["seo"] = Object.fromEntries(seo);
  const fields = { ...post.fields, ...file.fields };
  // A tool replaces all fields, so those that the file leaves out go with them. An empty one is one that is not there.
  if (!isDeepStrictEqual(withoutEmpty(fields), withoutEmpty(post.fields))) changes["fields"] = withoutEmpty(fields);
  return changes as Partial<PostContent>;
}

/** What to send for a new post. */
export const newPostOf = ({ fields, ...content }: Partial<PostContent>): object => ({
  ...content,
  ...(fields && { fields: withoutEmpty(fields) }),
});

const areThese = (texts: readonly string[], terms: readonly Term[]): boolean =>
  texts.length === terms.length && texts.every((text, at) => text === terms[at]!.name || text === terms[at]!.id);

const withoutEmpty = (fields: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Both versions of what differs, for a person who has to choose. */
export function describeDifferences(changes: Partial<PostContent>, post: RemotePost): readonly string[] {
  const server = contentOf(post);
  return (Object.keys(changes) as (keyof PostContent)[]).flatMap((key) => {
    if (key !== "body") return [`    ${key}`, `      server: ${shown(server[key])}`, `      yours:  ${shown(changes[key] ?? null)}`];
    const [theirs, yours] = [server.body.split("\n"), (changes.body ?? "").split("\n")];
    const at = yours.findIndex((line, index) => line !== theirs[index]);
    const line = at === -1 ? yours.length : at;
    return [
      `    body, from line ${line + 1} on`,
      `      server: ${shown(theirs[line] ?? null)}`,
      `      yours:  ${shown(yours[line] ?? null)}`,
    ];
  });
}

const SHOWN_CHARACTERS = 100;
function shown(value: unknown): string {
  if (value === null) return "nothing";
  const text = shownLine(typeof value === "string" ? quote(value) : JSON.stringify(value));
  return text.length > SHOWN_CHARACTERS ? `${Array.from(text).slice(0, SHOWN_CHARACTERS).join("")} …` : text;
}
