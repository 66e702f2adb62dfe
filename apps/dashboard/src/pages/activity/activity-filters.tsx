import { useOp } from "../../api/hooks.ts";
import { ACTION_GROUPS, ACTIONS } from "../../lib/activity-words.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input, Select } from "../../ui/inputs.tsx";
import { type ActivityFilter, daysOf, SPANS } from "./activity-filter.ts";

const WHO = { user: "People", tool: "Connected apps", system: "Stet" } as const;

export function ActivityFilters({ filter, onChange }: { filter: ActivityFilter; onChange: (filter: ActivityFilter) => void }) {
  const { workspace } = useWorkspaceContext();
  const people = useOp("list_people", { workspaceId: workspace.id, ...(filter.person && { userIds: [filter.person] }) });
  const days = daysOf(filter.time);
  const set = (key: keyof ActivityFilter, value: string) => {
    const { [key]: _, ...rest } = filter;
    onChange((value ? { ...rest, [key]: value } : rest) as ActivityFilter);
  };
  return (
    <div role="search" aria-label="Filter activity" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <Field label="Person">
        {(control) => (
          <Select {...control} value={filter.person ?? ""} onChange={(event) => set("person", event.target.value)}>
            <option value="">Everyone</option>
            {people.data?.map(({ userId, name, isMember }) => (
              <option key={userId} value={userId}>
                {name}
                {isMember ? "" : " (left)"}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Source">
        {(control) => (
          <Select {...control} value={filter.by ?? ""} onChange={(event) => set("by", event.target.value)}>
            <option value="">Any source</option>
            {Object.entries(WHO).map(([type, label]) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Action">
        {(control) => (
          <Select {...control} value={filter.action ?? ""} onChange={(event) => set("action", event.target.value)}>
            <option value="">All actions</option>
            {ACTION_GROUPS.map((group) => (
              <optgroup key={group} label={group}>
                {Object.entries(ACTIONS)
                  .filter(([, action]) => action.group === group)
                  .map(([name, { label }]) => (
                    <option key={name} value={name}>
                      {label}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Website">
        {(control) => (
          <Select {...control} value={filter.website ?? ""} onChange={(event) => set("website", event.target.value)}>
            <option value="">All websites</option>
            {workspace.websites.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Time">
        {(control) => (
          <Select {...control} value={days ? ".." : (filter.time ?? "")} onChange={(event) => set("time", event.target.value)}>
            <option value="">Any time</option>
            {Object.entries(SPANS).map(([span, label]) => (
              <option key={span} value={span}>
                {label}
              </option>
            ))}
            <option value="..">From … to …</option>
          </Select>
        )}
      </Field>
      {days && (
        <>
          <Field label="From">
            {(control) => (
              <Input {...control} type="date" value={days.first} onChange={(event) => set("time", `${event.target.value}..${days.last}`)} />
            )}
          </Field>
          <Field label="To">
            {(control) => (
              <Input {...control} type="date" value={days.last} onChange={(event) => set("time", `${days.first}..${event.target.value}`)} />
            )}
          </Field>
        </>
      )}
      {Object.keys(filter).length > 0 && (
        <Button variant="ghost" className="self-end justify-self-start" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
