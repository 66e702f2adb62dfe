import { FIELD_TYPES } from "@stet/contract";
import { useState } from "react";
import type { FieldDefinition } from "../../api/answers.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input, Select, SwitchField, Textarea } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { FIELD_WORDS, keyOf } from "./field-words.ts";

const NEW: FieldDefinition = { key: "", label: "", type: "text", required: false, help: "", options: [] };

/** Null definition: a new field. Its key follows the label until it is typed. */
export function FieldDialog({
  definition,
  taken,
  onClose,
  onSave,
}: {
  definition: FieldDefinition | null;
  taken: readonly string[];
  onClose: () => void;
  onSave: (definition: FieldDefinition) => Promise<unknown>;
}) {
  const [draft, setDraft] = useState(definition ?? NEW);
  const [options, setOptions] = useState((definition?.options ?? []).join("\n"));
  const [keyTyped, setKeyTyped] = useState(definition !== null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const set = <Key extends keyof FieldDefinition>(key: Key, value: FieldDefinition[Key]) => setDraft((now) => ({ ...now, [key]: value }));
  const key = keyTyped ? draft.key : keyOf(draft.label);
  const isTaken = taken.includes(key);
  const changesMeaning = definition && (definition.key !== key || definition.type !== draft.type);

  /** The server names the position in the list; here is only one. */
  const errorOf = (part: string): string | undefined =>
    problem instanceof ApiProblem ? problem.errors.find(({ field }) => field.includes(`.${part}`))?.message : undefined;
  const hasOwnPlace = ["key", "label", "help", "options"].some((part) => errorOf(part));

  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const list = options.split("\n").map((option) => option.trim());
      await onSave({ ...draft, key, options: draft.type === "select" ? list.filter(Boolean) : [] });
      onClose();
    } catch (failure) {
      setProblem(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormDialog
      title={definition ? `Edit ${definition.label}` : "Add a field"}
      action={definition ? "Save field" : "Add field"}
      busy={busy}
      disabled={isTaken}
      problem={problem}
      fields={hasOwnPlace ? ["fieldDefinitions"] : []}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label="Label" error={errorOf("label")} help="What writers see.">
        {(control) => <Input {...control} value={draft.label} onChange={(event) => set("label", event.target.value)} />}
      </Field>
      <Field
        label="Key"
        error={isTaken ? "Another field has this key." : errorOf("key")}
        help="Its name in the API: letters, digits and _, starting with a letter."
      >
        {(control) => (
          <Input
            {...control}
            spellCheck={false}
            className="font-mono"
            value={key}
            onChange={(event) => {
              setKeyTyped(true);
              set("key", event.target.value);
            }}
          />
        )}
      </Field>
      <Field label="Type" help={FIELD_WORDS[draft.type].help}>
        {(control) => (
          <Select {...control} value={draft.type} onChange={(event) => set("type", event.target.value as FieldDefinition["type"])}>
            {FIELD_TYPES.map((type) => (
              <option key={type} value={type}>
                {FIELD_WORDS[type].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.type === "select" && (
        <Field label="Options" error={errorOf("options")} help="One per line, in the order writers see them.">
          {(control) => <Textarea {...control} rows={4} value={options} onChange={(event) => setOptions(event.target.value)} />}
        </Field>
      )}
      <Field label="Help" optional error={errorOf("help")} help="A hint for writers, shown below the field.">
        {(control) => <Input {...control} value={draft.help} onChange={(event) => set("help", event.target.value)} />}
      </Field>
      <SwitchField
        label="Required"
        help="Posts without a value cannot be published. Posts that are already published stay as they are."
        checked={draft.required}
        onCheckedChange={(checked) => set("required", checked)}
      />
      {changesMeaning && (
        <Notice tone="warn">
          Existing values are kept.{" "}
          {definition.key === key
            ? "Values that do not fit the new type are flagged when the post is edited."
            : "They stay under the old key, and the field starts empty."}
        </Notice>
      )}
    </FormDialog>
  );
}
