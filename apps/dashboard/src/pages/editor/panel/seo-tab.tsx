import { Field } from "../../../ui/field.tsx";
import { Input, SwitchField, Textarea } from "../../../ui/inputs.tsx";
import type { Content } from "../autosave/content.ts";
import { useEditorPage } from "../editor-context.tsx";
import { SearchPreview } from "./search-preview.tsx";
import { SocialPreview } from "./social-preview.tsx";
import { UrlInput } from "./url-input.tsx";

/** What search results and social cards cut off beyond, in characters. */
const TITLE_SHOWN = 60;
const DESCRIPTION_SHOWN = 160;

export function SeoTab() {
  const { content, desk, readOnly, save } = useEditorPage();
  const { seo } = content;
  const disabled = readOnly !== null;
  const set = (change: Partial<Content["seo"]>) => desk.change({ seo: { ...desk.snapshot().content.seo, ...change } });
  const title = seo.title ?? content.title;
  const description = seo.description ?? content.excerpt;
  return (
    <div className="flex flex-col gap-5">
      {save.phase === "refused" && save.errors.seo && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {save.errors.seo}
        </p>
      )}
      <SearchPreview title={title} description={description} />
      <Field label="Search title" help={lengthHint(title, TITLE_SHOWN)}>
        {(control) => (
          <Input
            {...control}
            disabled={disabled}
            maxLength={300}
            placeholder={content.title}
            value={seo.title ?? ""}
            onChange={(event) => set({ title: event.target.value || null })}
          />
        )}
      </Field>
      <Field label="Search description" help={lengthHint(description, DESCRIPTION_SHOWN)}>
        {(control) => (
          <Textarea
            {...control}
            disabled={disabled}
            maxLength={600}
            rows={3}
            placeholder={content.excerpt}
            value={seo.description ?? ""}
            onChange={(event) => set({ description: event.target.value || null })}
          />
        )}
      </Field>
      <SocialPreview title={title} description={description} imageUrl={seo.ogImageUrl} />
      <UrlInput
        label="Social image"
        help="Without one, the cover is shown."
        disabled={disabled}
        value={seo.ogImageUrl}
        onChange={(ogImageUrl) => set({ ogImageUrl })}
      />
      <UrlInput
        label="Canonical address"
        help="Only when the post first appeared elsewhere."
        disabled={disabled}
        value={seo.canonicalUrl}
        onChange={(canonicalUrl) => set({ canonicalUrl })}
      />
      <SwitchField
        label="Hide from search engines"
        help="Asks them not to list it (noindex)."
        disabled={disabled}
        checked={seo.noindex}
        onCheckedChange={(noindex) => set({ noindex })}
      />
    </div>
  );
}

function lengthHint(text: string, shown: number): string {
  const { length } = [...text];
  return length > shown ? `${length} characters; about ${shown} are shown.` : `${length} of about ${shown} characters that are shown.`;
}
