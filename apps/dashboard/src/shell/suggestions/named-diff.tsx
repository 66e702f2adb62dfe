import { DiffSections } from "../../ui/diff-sections.tsx";
import { useThingNames } from "./use-thing-names.ts";

type Diff = Parameters<typeof DiffSections>[0]["diff"];

/** The differences between two versions, with the names of categories, tags, authors and images. */
export function NamedDiff({ diff }: { diff: Diff }) {
  const nameOf = useThingNames(diff.fields);
  return <DiffSections diff={diff} nameOf={nameOf} />;
}

export const isEmptyDiff = (diff: Diff): boolean => diff.title.length + diff.excerpt.length + diff.body.length + diff.fields.length === 0;
