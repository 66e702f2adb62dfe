import type { MediaId, WebsiteId } from "#domain/ids";
import type { JsonValue } from "#domain/json";
import type { PostContent } from "#domain/post";

export interface ReplacedImage {
  readonly websiteId: WebsiteId;
  readonly from: MediaId;
  readonly to: { readonly id: MediaId; readonly url: string };
}

/**
 * The content with another image wherever the one was: as its cover, and by its address in the text, in the fields and in what is shared.
 * What surrounds an address stays, such as a host before it and `?w=` behind it.
 */
export function withImageReplaced(content: PostContent, { websiteId, from, to }: ReplacedImage): PostContent {
  const address = new RegExp(`/media/${websiteId}/${from}(?:\\.[0-9]{1,5})?\\.[a-z]{3,4}\\b`, "g");
  const inText = (text: string): string => text.replace(address, () => to.url);
  const inValue = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return inText(value);
    if (Array.isArray(value)) return value.map(inValue);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inValue(each)]));
  };
  return {
    ...content,
    body: inText(content.body),
    coverMediaId: content.coverMediaId === from ? to.id : content.coverMediaId,
    seo: inValue(content.seo as unknown as JsonValue) as unknown as PostContent["seo"],
    fields: inValue(content.fields) as PostContent["fields"],
  };
}
