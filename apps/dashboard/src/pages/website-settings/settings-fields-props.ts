import type { WebsiteDraft } from "./website-draft.ts";

/** A group of fields of the form: the draft, how a field changes it, and the error of a field. */
export interface SettingsFieldsProps {
  readonly draft: WebsiteDraft;
  set<Key extends keyof WebsiteDraft>(key: Key, value: WebsiteDraft[Key]): void;
  errorOf(key: keyof WebsiteDraft): string | undefined;
}
