import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { SwitchField, Textarea } from "../../ui/inputs.tsx";
import type { SettingsFieldsProps } from "./settings-fields-props.ts";

export function AssistantFields({ draft, set, errorOf }: SettingsFieldsProps) {
  return (
    <Card title="Instructions for assistants" description="Connected apps read this before they write. Readers never see it.">
      <div className="flex flex-col gap-5">
        <Field label="Style guide" optional error={errorOf("styleGuide")} help="Tone, headings, words to avoid, which categories to use.">
          {(control) => (
            <Textarea
              {...control}
              rows={8}
              placeholder="We write in short sentences. Headings in sentence case. Every post has one category …"
              value={draft.styleGuide}
              onChange={(event) => set("styleGuide", event.target.value)}
            />
          )}
        </Field>
        <SwitchField
          label="Hold AI changes for review"
          help="A connected app’s changes to published, scheduled, unpublished and trashed posts, and to categories, tags, authors and images that posts use, wait under Suggestions until someone accepts them. Publishing, unpublishing and deleting wait as well. Drafts are changed right away."
          checked={draft.holdToolChanges}
          onCheckedChange={(checked) => set("holdToolChanges", checked)}
        />
      </div>
    </Card>
  );
}
