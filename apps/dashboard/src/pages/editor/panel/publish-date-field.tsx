import { type ChangeEvent, useRef, useState } from "react";
import { formatDateTime } from "../../../lib/time.ts";
import { ownTimeZone, toLocal } from "../../../lib/zoned-time.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/inputs.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { momentOf } from "../publish/schedule-fields.tsx";

/** The date that readers see, by the writer's own clock. Not set, it is the moment of the first publication. */
export function PublishDateField() {
  const { content, autosave, readOnly, settings, post } = useEditorPage();
  // A half-typed date is kept here as text; null: the field shows the value.
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const here = ownTimeZone();
  const there = settings.settings.timeZone;
  const { publishedAt } = content;
  const change = ({ target: { value, validity } }: ChangeEvent<HTMLInputElement>) => {
    setTyped(value);
    const moment = momentOf({ local: value, timeZone: here });
    if (moment !== null) autosave.change({ publishedAt: moment });
    else if (value === "" && !validity.badInput) autosave.change({ publishedAt: null });
  };
  return (
    <Field
      label="Publish date"
      help={
        <>
          {publishedAt !== null && "Shown to readers. "}
          {publishedAt === null && post.publishedAt !== null && `First published ${formatDateTime(post.publishedAt, here)}. `}
          {publishedAt === null && "Set a date to show a different one. "}
          Your time zone: {here}.
          {publishedAt !== null && there !== here && ` On the website (${there}) that is ${formatDateTime(publishedAt, there)}.`}
        </>
      }
    >
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            ref={field}
            type="datetime-local"
            disabled={readOnly !== null}
            value={typed ?? (publishedAt === null ? "" : toLocal(publishedAt, here))}
            onChange={change}
            onBlur={() => setTyped(null)}
          />
          {publishedAt !== null && readOnly === null && (
            <Button
              variant="ghost"
              onClick={() => {
                field.current?.focus();
                autosave.change({ publishedAt: null });
              }}
            >
              Clear
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
