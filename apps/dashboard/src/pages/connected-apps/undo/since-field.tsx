import { formatDateTime } from "../../../lib/time.ts";
import { Field } from "../../../ui/field.tsx";
import { Input, Select } from "../../../ui/inputs.tsx";

const HOUR = 3_600_000;
const PRESETS = [
  { id: "hour", label: "Last hour", millis: HOUR },
  { id: "day", label: "Last day", millis: 24 * HOUR },
  { id: "week", label: "Last week", millis: 7 * 24 * HOUR },
  { id: "all", label: "Everything (last 90 days)", millis: 90 * 24 * HOUR },
] as const;

export interface Since {
  readonly choice: (typeof PRESETS)[number]["id"] | "call" | "moment";
  /** As a date-time field has it, on this computer's clock. */
  readonly moment: string;
}

/** The moment that is meant, or null while none is. */
export function momentOf({ choice, moment }: Since, call: string | null): string | null {
  if (choice === "call") return call;
  if (choice !== "moment") return new Date(Date.now() - PRESETS.find(({ id }) => id === choice)!.millis).toISOString();
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** From when on. `call`: the moment of a call in the log from which somebody wants to go back. */
export function SinceField({ value, call, onChange }: { value: Since; call: string | null; onChange: (value: Since) => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Changes to undo">
        {(control) => (
          <Select
            {...control}
            value={value.choice}
            onChange={(event) => onChange({ ...value, choice: event.target.value as Since["choice"] })}
          >
            {call && <option value="call">From this call, {formatDateTime(call)}</option>}
            {PRESETS.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
            <option value="moment">Since a date …</option>
          </Select>
        )}
      </Field>
      {value.choice === "moment" && (
        <Field label="Since">
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={value.moment}
              onChange={(event) => onChange({ ...value, moment: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
