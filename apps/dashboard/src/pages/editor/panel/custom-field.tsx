import { useState } from "react";
import type { Output } from "../../../api/wire.ts";
import { type Content, sameValue } from "../../../autosave/content.ts";
import { Field, type FieldControl } from "../../../ui/field.tsx";
import { Input, Select, SwitchField, Textarea } from "../../../ui/inputs.tsx";

type Definition = Output<"get_website">["fieldDefinitions"][number];
type Value = Content["fields"][string];
interface Props {
  readonly definition: Definition;
  readonly value: Value;
  readonly disabled: boolean;
  readonly onChange: (value: Value) => void;
}

/** One field of the website's own, by its type. What does not fit its type is said here and not sent. */
export function CustomField(props: Props) {
  const { definition, value, disabled, onChange } = props;
  if (definition.type === "boolean") {
    return (
      <SwitchField
        label={definition.label}
        help={definition.help}
        disabled={disabled}
        checked={value === true}
        onCheckedChange={onChange}
      />
    );
  }
  return <Typed {...props} />;
}

function Typed({ definition, value, disabled, onChange }: Props) {
  const { type, label, help, required, options } = definition;
  // As it was typed (1.50), or what does not fit yet; once the value is another one, that is shown.
  const [draft, setDraft] = useState<string | null>(null);
  const drafted = draft === null ? undefined : parse(draft, type);
  const isStale = draft === null || (drafted !== undefined && !sameValue(drafted, value));
  const text = isStale ? textOf(value, type) : draft;
  const write = (next: string) => {
    const parsed = parse(next, type);
    setDraft(parsed === undefined || type === "json" || type === "number" ? next : null);
    if (parsed !== undefined) onChange(parsed);
  };
  const problem = parse(text, type) === undefined ? PROBLEMS[type] : undefined;
  const control = (field: FieldControl) => {
    const shared = { ...field, disabled, value: text, onChange: (event: { target: { value: string } }) => write(event.target.value) };
    if (type === "json") return <Textarea {...shared} rows={4} spellCheck={false} className="font-mono text-[0.8125rem]" />;
    if (type === "text") return <Textarea {...shared} rows={2} />;
    if (type === "select") {
      return (
        <Select {...shared}>
          <option value="">Not set</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      );
    }
    if (type === "number") return <Input {...shared} inputMode="decimal" />;
    return <Input {...shared} type={type === "date" ? "date" : "text"} inputMode={type === "url" ? "url" : undefined} />;
  };
  return (
    <Field label={label} help={help || undefined} optional={!required} error={problem}>
      {control}
    </Field>
  );
}

const PROBLEMS: Partial<Record<Definition["type"], string>> = {
  number: "Not saved. Enter a number.",
  url: "Not saved. Enter an http or https address.",
  json: "Not saved. Enter valid JSON.",
  date: "Enter a date.",
};

function textOf(value: Value, type: Definition["type"]): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" && type !== "json" ? value : JSON.stringify(value, null, type === "json" ? 2 : 0);
}

/** Undefined: it does not fit. Empty is no value, for every type. */
function parse(text: string, type: Definition["type"]): Value | undefined {
  if (text.trim() === "") return null;
  switch (type) {
    case "number": {
      const number = Number(text.trim());
      return Number.isFinite(number) ? number : undefined;
    }
    case "json":
      try {
        return JSON.parse(text) as Value;
      } catch {
        return undefined;
      }
    case "url":
      return /^https?:$/.test(URL.parse(text.trim())?.protocol ?? "") ? text.trim() : undefined;
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
    default:
      return text;
  }
}
