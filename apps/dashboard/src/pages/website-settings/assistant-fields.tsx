import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { SwitchField, Textarea } from "../../ui/inputs.tsx";
import type { FieldsProps } from "./general-form.tsx";

export function AssistantFields({ draft, set, errorOf }: FieldsProps) {
  return (
    <Card title="What you tell an assistant" description="Connected tools read this before they write. It is not shown to readers.">
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
          label="Hold AI changes to published posts for review"
          help="What a connected tool changes in a published post waits as a suggestion until a person brings it live."
          checked={draft.holdToolChanges}
          onCheckedChange={(checked) => set("holdToolChanges", checked)}
        />
      </div>
    </Card>
  );
}
