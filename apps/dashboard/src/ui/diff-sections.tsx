import type { DiffPart } from "@stet/markdown";
import { asText } from "../lib/as-text.ts";
import { capital } from "../lib/format.ts";
import { partName } from "../lib/part-names.ts";
import { DiffText } from "./diff-text.tsx";

interface PostDiff {
  readonly title: readonly DiffPart[];
  readonly excerpt: readonly DiffPart[];
  readonly body: readonly DiffPart[];
  readonly fields: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** All differences between two versions of a post, part by part. */
export function DiffSections({ diff }: { diff: PostDiff }) {
  return (
    <div className="flex flex-col gap-5">
      {(["title", "excerpt", "body"] as const)
        .filter((key) => diff[key].length > 0)
        .map((key) => (
          <section key={key} aria-label={capital(partName(key))} className="flex flex-col gap-1.5">
            <h3 className="text-[0.8125rem] font-medium text-muted">{capital(partName(key))}</h3>
            <DiffText parts={diff[key]} />
          </section>
        ))}
      {diff.fields.map(({ field, before, after }) => (
        <section key={field} aria-label={capital(partName(field))} className="flex flex-col gap-1.5">
          <h3 className="text-[0.8125rem] font-medium text-muted">{capital(partName(field))}</h3>
          <DiffText
            parts={[
              { type: "removed", text: asText(before) || "nothing" },
              { type: "same", text: " → " },
              { type: "added", text: asText(after) || "nothing" },
            ]}
          />
        </section>
      ))}
    </div>
  );
}
