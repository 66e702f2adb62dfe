import { useQueries } from "@tanstack/react-query";
import { opOptions } from "../../api/hooks.ts";
import { useWebsiteContext } from "../website-context.ts";

const TERM = /^(?:cat|tag|author)_[0-9a-z]{26}$/;
const IMAGE = /^media_[0-9a-z]{26}$/;
/** Nobody reads a list of more names. */
const MOST = 60;

/** Names of the categories, tags, authors and images whose ids are among these values. */
export function useThingNames(values: readonly unknown[]): (id: string) => string {
  const { website } = useWebsiteContext();
  const ids = [...new Set(idsIn(values))].slice(0, MOST);
  const [termIds, mediaIds] = [ids.filter((id) => TERM.test(id)), ids.filter((id) => IMAGE.test(id))];
  const websiteId = website.id;
  const terms = useQueries({ queries: termIds.map((termId) => opOptions("get_term", { websiteId, termId })) });
  const images = useQueries({ queries: mediaIds.map((mediaId) => opOptions("get_media", { websiteId, mediaId })) });
  const names = new Map([
    ...termIds.map((id, index) => [id, nameIn(terms[index], ({ name }) => name)] as const),
    ...mediaIds.map((id, index) => [id, nameIn(images[index], ({ filename }) => filename)] as const),
  ]);
  return (id) => names.get(id) ?? id;
}

function nameIn<T>(query: { data?: T | undefined; isError: boolean } | undefined, name: (data: T) => string): string {
  if (query?.data) return name(query.data);
  return query?.isError ? "removed" : "…";
}

function idsIn(value: unknown): string[] {
  if (typeof value === "string") return TERM.test(value) || IMAGE.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(idsIn) : [];
}
