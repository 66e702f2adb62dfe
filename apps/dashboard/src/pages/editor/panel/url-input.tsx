import { useState } from "react";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/inputs.tsx";

/** An address that is saved once it is one. */
export function UrlInput({
  label,
  help,
  value,
  disabled,
  onChange,
}: {
  label: string;
  help: string;
  value: string | null;
  disabled: boolean;
  onChange: (value: string | null) => void;
}) {
  // Typed text that is not an address yet; null: the field shows the value.
  const [draft, setDraft] = useState<string | null>(null);
  const type = (text: string) => {
    const fits = text.trim() === "" || isAddress(text);
    setDraft(fits ? null : text);
    if (fits) onChange(text.trim() || null);
  };
  return (
    <Field label={label} help={help} optional error={draft === null ? undefined : "Not saved. Enter an http or https address."}>
      {(control) => (
        <Input
          {...control}
          inputMode="url"
          placeholder="https://"
          maxLength={2_048}
          disabled={disabled}
          value={draft ?? value ?? ""}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </Field>
  );
}

function isAddress(text: string): boolean {
  const url = URL.parse(text.trim());
  return (url?.protocol === "https:" || url?.protocol === "http:") && url.hostname !== "";
}
