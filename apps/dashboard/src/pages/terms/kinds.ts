import type { TermKind } from "@stet/contract";
import { FolderOpen, type LucideIcon, PenLine, Tag } from "lucide-react";

/** How each kind is spoken of. */
export const KINDS: Record<TermKind, { one: string; many: string; about: string; Icon: LucideIcon; descriptionLabel: string }> = {
  category: {
    one: "category",
    many: "Categories",
    about: "The few shelves that your posts stand on.",
    Icon: FolderOpen,
    descriptionLabel: "Description",
  },
  tag: { one: "tag", many: "Tags", about: "Words that connect posts across categories.", Icon: Tag, descriptionLabel: "Description" },
  author: {
    one: "author",
    many: "Authors",
    about: "The names that readers see above a post. An author need not have an account here.",
    Icon: PenLine,
    descriptionLabel: "Biography",
  },
};

/** "a category", "an author". */
export const aKind = (kind: TermKind): string => `${kind === "author" ? "an" : "a"} ${KINDS[kind].one}`;
