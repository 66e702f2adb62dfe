import type { DiffPart } from "@stet/markdown";
import { fieldChanges } from "../lib/field-changes.ts";
import { capital } from "../lib/format.ts";
import { partName } from "../lib/part-names.ts";
import { DiffText } from "./diff-text.tsx";

interface PostDiff {
  readonly title: readonly DiffPart[];
  readonly excerpt: readonly DiffPart[];
  readonly body: readonly DiffPart[];
  readonly fields: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** All differences between two versions, part by part. `nameOf` names the ids among their values. */
export function DiffSections({ diff, nameOf }: { diff: PostDiff; nameOf?: (id: string) => string }) {
  return (
    <div className="flex flex-col gap-5">
      {(["title", "excerpt", "body"] as const)
        .filter((key) => diff[key].length > 0)
        .map((key) => (
          <Section key={key} name={partName(key)} parts={diff[key]} />
        ))}
      {fieldChanges(diff.fields, nameOf).map(({ name, before, after }) => (
        <Section
          key={name}
          name={name}
          parts={[
            { type: "removed", text: before },
            { type: "same", text: " → " },
            { type: "added", text: after },
          ]}
        />
      ))}
    </div>
  );
}

function Section({ name, parts }: { name: string; parts: readonly DiffPart[] }) {
  return (
    <section aria-label={capital(name)} className="flex flex-col gap-1.5">
      <h3 className="text-[0.8125rem] font-medium text-muted">{capital(name)}</h3>
      <DiffText parts={parts} />
    </section>
  );
}
