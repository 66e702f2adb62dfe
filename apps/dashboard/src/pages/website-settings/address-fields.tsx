import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import type { SettingsFieldsProps } from "./settings-fields-props.ts";

export function AddressFields({ draft, set, errorOf }: SettingsFieldsProps) {
  const preview = draft.previewUrl.trim();
  return (
    <Card title="Addresses" description="Where readers find the blog, and where writers preview drafts.">
      <div className="flex flex-col gap-5">
        <Field
          label="Public address"
          optional
          error={errorOf("publicUrl")}
          help="The start of every post’s address, such as https://example.com/blog. Feeds and the sitemap link there."
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              placeholder="https://example.com/blog"
              value={draft.publicUrl}
              onChange={(event) => set("publicUrl", event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Preview address"
          optional
          error={errorOf("previewUrl")}
          help={
            <>
              “Preview on my website” opens this page of yours with a token. Your page calls <code>GET /v1/preview/&#123;token&#125;</code>{" "}
              and shows the draft. Without an address, previews open in Stet. Writers are sent to:{" "}
              <code className="break-all">{preview ? withToken(preview) : withToken("https://example.com/preview")}</code>
            </>
          }
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              placeholder="https://example.com/preview"
              value={draft.previewUrl}
              onChange={(event) => set("previewUrl", event.target.value)}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}

/** As the server puts them together: an address that ends in / or = takes the token as it is. */
function withToken(address: string): string {
  if (/[/=]$/.test(address)) return `${address}TOKEN`;
  return `${address}${address.includes("?") ? "&" : "?"}token=TOKEN`;
}
