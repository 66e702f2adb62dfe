import type { TermKind } from "@stet/contract";
import { FolderOpen, type LucideIcon, PenLine, Tag } from "lucide-react";

/** The words for each kind of term. */
export const KINDS: Record<TermKind, { one: string; many: string; about: string; Icon: LucideIcon; descriptionLabel: string }> = {
  category: {
    one: "category",
    many: "Categories",
    about: "Groups for your posts.",
    Icon: FolderOpen,
    descriptionLabel: "Description",
  },
  tag: { one: "tag", many: "Tags", about: "Labels that connect posts across categories.", Icon: Tag, descriptionLabel: "Description" },
  author: {
    one: "author",
    many: "Authors",
    about: "The names readers see on a post. An author does not need an account.",
    Icon: PenLine,
    descriptionLabel: "Biography",
  },
};

/** "a category", "an author". */
export const aKind = (kind: TermKind): string => `${kind === "author" ? "an" : "a"} ${KINDS[kind].one}`;
