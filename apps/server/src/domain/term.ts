import type { TermKind } from "@stet/contract";
import type { MediaId, TermId, UserId, WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

/** A category, a tag or an author of a website: an aggregate of its own, embedded into posts when they are read. */
export interface Term {
  readonly id: TermId;
  readonly websiteId: WebsiteId;
  readonly kind: TermKind;
  readonly version: number;
  readonly slug: string;
  readonly name: string;
  /** An author's biography, or what the category or tag is about. */
  readonly description: string;
  /** Only for authors. */
  readonly profile: AuthorProfile | null;
  /** Slugs it had before: they redirect. */
  readonly pastSlugs: readonly string[];
  /** Set by a merge: wherever this id stands, the other term is meant. Always points at a term that is not merged itself. */
  readonly mergedInto: TermId | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Names that are equal in this form look like one name to whoever reads a list of them. */
export const nameKey = (name: string): string => name.trim().normalize("NFC").toLowerCase();

export interface AuthorProfile {
  readonly url: string | null;
  readonly avatarMediaId: MediaId | null;
  /** The member who writes under this name, if any. */
  readonly userId: UserId | null;
}
