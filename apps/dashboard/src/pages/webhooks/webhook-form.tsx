import { EVENT_TYPES, type EventType } from "@stet/contract/lists";
import { useId, useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { changedValues } from "../../lib/changed-values.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Checkbox, Input, Select } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";
import { EVENT_WORDS, type Webhook } from "./words.ts";

const PAUSES = [
  { seconds: 0, label: "Send each change right away" },
  { seconds: 30, label: "Group changes for 30 seconds" },
  { seconds: 120, label: "Group changes for 2 minutes" },
  { seconds: 600, label: "Group changes for 10 minutes" },
];

/** Adds an endpoint, or changes one. */
export function WebhookForm({
  webhook,
  onClose,
  onCreated,
}: {
  webhook?: Webhook;
  onClose: () => void;
  /** Gets the signing secret, the one time it can be seen. */
  onCreated?: (secret: string) => void;
}) {
  const { website } = useWebsiteContext();
  const id = useId();
  const [opened] = useState(webhook);
  const [url, setUrl] = useState(opened?.url ?? "");
  const [events, setEvents] = useState<readonly EventType[]>(opened?.events ?? EVENT_TYPES);
  const [debounceSeconds, setDebounceSeconds] = useState(opened?.debounceSeconds ?? 0);
  const create = useAct("create_webhook", { stale: ["list_webhooks"], onSuccess: ({ secret }) => onCreated?.(secret) });
  const update = useAct("update_webhook", {
    stale: ["list_webhooks"],
    onSuccess: () => {
      toast.ok("Endpoint saved.");
      onClose();
    },
  });
  const act = webhook ? update : create;
  const pauses = PAUSES.some(({ seconds }) => seconds === debounceSeconds)
    ? PAUSES
    : [...PAUSES, { seconds: debounceSeconds, label: `Group changes for ${debounceSeconds} seconds` }];

  const submit = () => {
    // In the order in which the server lists them.
    const chosen = { url, events: EVENT_TYPES.filter((type) => events.includes(type)), debounceSeconds };
    if (!opened) return create.mutate({ websiteId: website.id, ...chosen });
    const before = { url: opened.url, events: [...opened.events], debounceSeconds: opened.debounceSeconds };
    update.mutate({ websiteId: website.id, webhookId: opened.id, ...changedValues(before, chosen) });
  };

  return (
    <FormDialog
      title={webhook ? "Edit endpoint" : "Add endpoint"}
      action={webhook ? "Save" : "Add endpoint"}
      busy={act.isPending}
      problem={act.error}
      fields={["url", "events"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Address"
        error={act.error?.fieldError("url")}
        help="A public https address. It receives a POST with JSON and should answer 2xx within 15 seconds."
      >
        {(control) => (
          <Input {...control} placeholder="https://example.com/hooks/stet" value={url} onChange={(event) => setUrl(event.target.value)} />
        )}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">Events</legend>
        {EVENT_TYPES.map((type) => (
          <div key={type} className="flex items-start gap-3 text-sm">
            <Checkbox
              id={`${id}-${type}`}
              className="mt-0.5"
              checked={events.includes(type)}
              onCheckedChange={(on) => setEvents(on ? [...events, type] : events.filter((each) => each !== type))}
            />
            <label htmlFor={`${id}-${type}`}>
              <span className="font-medium">{EVENT_WORDS[type].label}</span>
              <span className="text-muted"> · {EVENT_WORDS[type].help}</span>
            </label>
          </div>
        ))}
        {act.error?.fieldError("events") && (
          <p role="alert" className="text-[0.8125rem] text-danger">
            Choose at least one event.
          </p>
        )}
      </fieldset>
      <Field label="Grouping" help="For static sites: one rebuild instead of ten. The delivery lists every event it includes.">
        {(control) => (
          <Select {...control} value={debounceSeconds} onChange={(event) => setDebounceSeconds(Number(event.target.value))}>
            {pauses.map(({ seconds, label }) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}
