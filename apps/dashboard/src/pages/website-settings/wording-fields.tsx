import { useState } from "react";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Input, Select, Textarea } from "../../ui/inputs.tsx";
import { languageName, LANGUAGES, timeZones } from "./languages.ts";
import type { SettingsFieldsProps } from "./settings-fields-props.ts";

const OTHER = "other";

export function WordingFields({ draft, set, errorOf }: SettingsFieldsProps) {
  const isListed = LANGUAGES.some(({ tag }) => tag === draft.language);
  const [isOther, setOther] = useState(!isListed);
  const chosen = isOther ? OTHER : draft.language;
  return (
    <Card
      title="Identity"
      description="The name is for your team. Title and description are for readers: feeds and social previews use them."
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" error={errorOf("name")}>
          {(control) => <Input {...control} value={draft.name} onChange={(event) => set("name", event.target.value)} />}
        </Field>
        <Field label="Title" optional error={errorOf("title")} help="Defaults to the name.">
          {(control) => <Input {...control} value={draft.title} onChange={(event) => set("title", event.target.value)} />}
        </Field>
        <Field label="Description" optional error={errorOf("description")} className="sm:col-span-2">
          {(control) => (
            <Textarea {...control} rows={3} value={draft.description} onChange={(event) => set("description", event.target.value)} />
          )}
        </Field>
        <div className="flex flex-col gap-3">
          <Field label="Language" error={isOther ? undefined : errorOf("language")} help="The language of your posts. Search uses it too.">
            {(control) => (
              <Select
                {...control}
                value={chosen}
                onChange={({ target }) => {
                  setOther(target.value === OTHER);
                  if (target.value !== OTHER) set("language", target.value);
                }}
              >
                {LANGUAGES.map(({ tag, name }) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
                <option value={OTHER}>Another language …</option>
              </Select>
            )}
          </Field>
          {isOther && (
            <Field
              label="Language tag"
              error={errorOf("language")}
              help={languageName(draft.language) ?? "A BCP 47 tag, such as gsw or es-419."}
            >
              {(control) => (
                <Input {...control} spellCheck={false} value={draft.language} onChange={(event) => set("language", event.target.value)} />
              )}
            </Field>
          )}
        </div>
        <Field label="Time zone" error={errorOf("timeZone")} help="For schedules and dates. Type to search.">
          {(control) => (
            <Select {...control} value={draft.timeZone} onChange={(event) => set("timeZone", event.target.value)}>
              {timeZones(draft.timeZone).map((zone) => (
                <option key={zone} value={zone}>
                  {zone.replaceAll("_", " ")}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Card>
  );
}
