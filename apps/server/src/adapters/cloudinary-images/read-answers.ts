import type { GuardedAnswer } from "#ports/guarded-client";
import { StoreFault, textOf } from "#ports/store-requests";
import type { PublicId } from "./public-id.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The object in an answer. It comes from elsewhere, so every field is looked at before it is used. */
export async function fieldsOf(answer: GuardedAnswer): Promise<Fields> {
  const text = await textOf(answer);
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Said below, as for other values.
  }
  throw new StoreFault("Cloudinary's answer is not the JSON that it describes.");
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

export interface ListPage {
  readonly ids: readonly PublicId[];
  readonly next: string | null;
}

export async function readPage(answer: GuardedAnswer, prefix: string): Promise<ListPage> {
  const { resources, next_cursor: next = null } = await fieldsOf(answer);
  const isNext = next === null || (typeof next === "string" && next.length > 0 && next.length <= 1_024);
  if (!Array.isArray(resources) || !isNext) throw new StoreFault("Cloudinary's list is not what it describes.");
  const ids = resources.map((resource: unknown): PublicId => {
    const { public_id: id, format } = isFields(resource) ? resource : {};
    if (typeof id !== "string" || typeof format !== "string") throw new StoreFault("Cloudinary's list is not what it describes.");
    // A server that ignores the prefix would have us delete what belongs to another website.
    if (!id.startsWith(prefix)) throw new StoreFault("Cloudinary's list names files that were not asked for.");
    return { id, format };
  });
  return { ids, next };
}
