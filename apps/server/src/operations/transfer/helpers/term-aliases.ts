import type { TermId } from "#domain/ids";
import type { PostContent } from "#domain/post";
import type { PostRecord, RevisionRecord, TermRecord } from "./records.ts";

/**
 * Terms of the file whose slug belongs to another term here, each with that other: "News" of one website is "News" of the next. What
 * the file sorts under the one is sorted under the other, or posts would arrive without their categories, tags and authors.
 */
export class TermAliases {
  readonly #here = new Map<TermId, TermId>();

  add(inFile: TermId, here: TermId): void {
    this.#here.set(inFile, here);
  }

  term(record: TermRecord): TermRecord {
    return record.mergedInto === null ? record : { ...record, mergedInto: this.#of(record.mergedInto) };
  }

  post(record: PostRecord): PostRecord {
    if (this.#here.size === 0) return record;
    const live = record.live && { ...record.live, content: this.#content(record.live.content) };
    return { ...record, working: this.#content(record.working), live };
  }

  revision(record: RevisionRecord): RevisionRecord {
    return this.#here.size === 0 ? record : { ...record, content: this.#content(record.content) };
  }

  #content(content: PostContent): PostContent {
    const { categoryIds, tagIds, authorIds } = content;
    return { ...content, categoryIds: this.#all(categoryIds), tagIds: this.#all(tagIds), authorIds: this.#all(authorIds) };
  }

  /** Two that became one stand once. */
  readonly #all = (ids: readonly TermId[]): readonly TermId[] => [...new Set(ids.map((id) => this.#of(id)))];
  readonly #of = (id: TermId): TermId => this.#here.get(id) ?? id;
}
