import { useMemo } from "react";
import { formatDateTime } from "../../../lib/time.ts";
import { fromLocal, ownTimeZone } from "../../../lib/zoned-time.ts";
import { Field } from "../../../ui/field.tsx";
import { Input, Select } from "../../../ui/inputs.tsx";

export interface When {
  /** As the field has it: 2026-11-15T09:30. */
  readonly local: string;
  readonly timeZone: string;
}

/** Null: no whole date yet. (While a year is typed, it is 0002 or 0202 for a while.) */
export const momentOf = ({ local, timeZone }: When): string | null =>
  /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? fromLocal(local, timeZone) : null;

/** A date and time as clocks show it somewhere, and what that is here. */
export function ScheduleFields({ when, onChange, error }: { when: When; onChange: (when: When) => void; error?: string | undefined }) {
  const here = ownTimeZone();
  const zones = useMemo(() => [...new Set([when.timeZone, here, "UTC", ...Intl.supportedValuesOf("timeZone")])], [when.timeZone, here]);
  const moment = momentOf(when);
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Date and time" error={error}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={when.local}
              onChange={(event) => onChange({ ...when, local: event.target.value })}
            />
          )}
        </Field>
        <Field label="Time zone">
          {(control) => (
            <Select {...control} value={when.timeZone} onChange={(event) => onChange({ ...when, timeZone: event.target.value })}>
              {zones.map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {moment && (
        <p className="text-[0.8125rem] text-muted">
          {when.timeZone === here ? "That is" : "In your time zone:"}{" "}
          <strong className="font-medium text-text">{formatDateTime(moment)}</strong>
          {when.timeZone === here ? "" : ` (${here})`}.
        </p>
      )}
    </div>
  );
}
