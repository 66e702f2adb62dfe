import { LIMITS } from "@stet/contract";
import { Field } from "../../../ui/field.tsx";
import { SwitchField, Textarea } from "../../../ui/inputs.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { CoverField } from "./cover-field.tsx";
import { CustomField } from "./custom-field.tsx";
import { PostViews } from "./post-views.tsx";
import { PublishDateField } from "./publish-date-field.tsx";
import { Section } from "./section.tsx";
import { SlugField } from "./slug-field.tsx";
import { TermField } from "./term-field.tsx";

export function PostTab() {
  const { content, autosave, readOnly, settings, save, post } = useEditorPage();
  const disabled = readOnly !== null;
  const errors = save.phase === "refused" ? save.errors : {};
  return (
    <div className="flex flex-col gap-5">
      {post.live && <PostViews />}
      <SlugField />
      <div data-field="excerpt">
        <Field
          label="Excerpt"
          error={errors.excerpt}
          help={`${[...content.excerpt].length} of ${LIMITS.excerptCharacters} characters. Shown in lists and search results.`}
        >
          {(control) => (
            <Textarea
              {...control}
              disabled={disabled}
              rows={3}
              value={content.excerpt}
              onChange={(event) => autosave.change({ excerpt: [...event.target.value].slice(0, LIMITS.excerptCharacters).join("") })}
            />
          )}
        </Field>
      </div>
      <CoverField />
      <Section title="Categories and authors">
        <TermField kind="category" label="Categories" />
        <TermField kind="tag" label="Tags" />
        <TermField kind="author" label="Authors" />
        <SwitchField
          label="Featured"
          help="Your website can show it more prominently."
          disabled={disabled}
          checked={content.featured}
          onCheckedChange={(featured) => autosave.change({ featured })}
        />
        <PublishDateField />
      </Section>
      {settings.fieldDefinitions.length > 0 && (
        <Section title="Fields">
          {errors.fields && (
            <p role="alert" className="text-[0.8125rem] text-danger">
              {errors.fields}
            </p>
          )}
          {settings.fieldDefinitions.map((definition) => (
            <div key={definition.key} data-field={`fields.${definition.key}`}>
              <CustomField
                definition={definition}
                disabled={disabled}
                value={content.fields[definition.key] ?? null}
                onChange={(value) => autosave.change({ fields: { ...autosave.snapshot().content.fields, [definition.key]: value } })}
              />
            </div>
          ))}
        </Section>
      )}
    </div>
  );
}
