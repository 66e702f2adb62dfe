import type { Content } from "../../../autosave/content.ts";
import { Field } from "../../../ui/field.tsx";
import { Input, SwitchField, Textarea } from "../../../ui/inputs.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { SearchPreview } from "./search-preview.tsx";
import { SocialPreview } from "./social-preview.tsx";
import { UrlInput } from "./url-input.tsx";

/** Words of search results and social cards, which cut them off after about `shown` characters. Without any, the post's own stand there. */
const WORDS = {
  title: { label: "Search title", shown: 60, most: 300, own: "title", Control: Input },
  description: { label: "Search description", shown: 160, most: 600, own: "excerpt", Control: Textarea },
} as const;

export function SeoTab() {
  const { content, autosave, readOnly, save } = useEditorPage();
  const { seo } = content;
  const disabled = readOnly !== null;
  const set = (change: Partial<Content["seo"]>) => autosave.change({ seo: { ...autosave.snapshot().content.seo, ...change } });
  const words = (key: keyof typeof WORDS) => seo[key] ?? content[WORDS[key].own];
  const previewed = { title: words("title"), description: words("description") };
  const wordsField = (key: keyof typeof WORDS) => {
    const { label, shown, most, own, Control } = WORDS[key];
    return (
      <div data-field={`seo.${key}`}>
        <Field label={label} help={lengthHint(words(key), shown)}>
          {(control) => (
            <Control
              {...control}
              disabled={disabled}
              maxLength={most}
              placeholder={content[own]}
              value={seo[key] ?? ""}
              onChange={({ target }: { target: { value: string } }) => set({ [key]: target.value || null })}
            />
          )}
        </Field>
      </div>
    );
  };
  return (
    <div className="flex flex-col gap-5">
      {save.phase === "refused" && save.errors.seo && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {save.errors.seo}
        </p>
      )}
      <SearchPreview {...previewed} />
      {wordsField("title")}
      {wordsField("description")}
      <SocialPreview {...previewed} imageUrl={seo.ogImageUrl} />
      <UrlInput
        label="Social image"
        help="Defaults to the cover image."
        disabled={disabled}
        value={seo.ogImageUrl}
        onChange={(ogImageUrl) => set({ ogImageUrl })}
      />
      <UrlInput
        label="Canonical address"
        help="Only if the post first appeared elsewhere."
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
  return length > shown ? `${length} characters. Search results show about ${shown}.` : `${length} of about ${shown} characters.`;
}
