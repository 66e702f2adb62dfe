import { formatDateTime } from "../../../lib/time.ts";
import { fromLocal, toLocal } from "../../../lib/zoned-time.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/inputs.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** The date that readers see. Not set, it is the moment of the first publication. */
export function PublishDateField() {
  const { content, desk, readOnly, settings, post } = useEditorPage();
  const { timeZone } = settings.settings;
  const shown = post.publishedAt && content.publishedAt === null ? `First published ${formatDateTime(post.publishedAt, timeZone)}. ` : "";
  return (
    <Field
      label="Publish date"
      help={`${shown}${content.publishedAt === null ? "Set one to show another date" : "Shown to readers"} (${timeZone}).`}
    >
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            type="datetime-local"
            disabled={readOnly !== null}
            value={content.publishedAt === null ? "" : toLocal(content.publishedAt, timeZone)}
            onChange={(event) => desk.change({ publishedAt: event.target.value === "" ? null : fromLocal(event.target.value, timeZone) })}
          />
          {content.publishedAt !== null && readOnly === null && (
            <Button variant="ghost" onClick={() => desk.change({ publishedAt: null })}>
              Clear
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
