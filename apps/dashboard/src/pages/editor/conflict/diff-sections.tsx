import type { Output } from "../../../api/wire.ts";
import type { ContentKey } from "../autosave/content.ts";
import { DiffText } from "./diff-text.tsx";
import { asText, FIELD_WORDS } from "./field-words.ts";

/** Everything that differs between two versions of a post, part by part. */
export function DiffSections({ diff }: { diff: Pick<Output<"diff_revisions">, "title" | "excerpt" | "body" | "fields"> }) {
  return (
    <div className="flex flex-col gap-5">
      {(["title", "excerpt", "body"] as const)
        .filter((key) => diff[key].length > 0)
        .map((key) => (
          <section key={key} aria-label={FIELD_WORDS[key]} className="flex flex-col gap-1.5">
            <h3 className="text-[0.8125rem] font-medium text-muted">{FIELD_WORDS[key]}</h3>
            <DiffText parts={diff[key]} />
          </section>
        ))}
      {diff.fields.map(({ field, before, after }) => (
        <section key={field} aria-label={FIELD_WORDS[field as ContentKey]} className="flex flex-col gap-1.5">
          <h3 className="text-[0.8125rem] font-medium text-muted">{FIELD_WORDS[field as ContentKey]}</h3>
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
