import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input, Select } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";

const SINCE = [
  { hours: 1, label: "Last hour" },
  { hours: 24, label: "Last day" },
  { hours: 24 * 7, label: "Last week" },
  { hours: 24 * 90, label: "Everything (last 90 days)" },
];
const MOMENT = 0;

/** Sends everything again that did not arrive since a time. */
export function ResendDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const { website } = useWebsiteContext();
  const [hours, setHours] = useState(24);
  const [moment, setMoment] = useState("");
  const resend = useAct("resend_failed", {
    stale: ["list_webhooks", "list_deliveries"],
    onSuccess: ({ resent }) => {
      toast.ok(
        resent > 0 ? `Resending ${plural(resent, "delivery", "deliveries")}.` : "Nothing to resend: everything since then has arrived.",
      );
      onClose();
    },
  });
  const send = () => {
    const since = hours === MOMENT ? new Date(moment) : new Date(Date.now() - hours * 3_600_000);
    resend.mutate({ websiteId: website.id, webhookId, since: since.toISOString() });
  };
  return (
    <FormDialog
      title="Resend failed deliveries"
      description="Sends every failed or missed delivery again, in order. Your receiver can recognise repeats by the event id."
      action="Resend"
      busy={resend.isPending}
      disabled={hours === MOMENT && moment === ""}
      problem={resend.error}
      onSubmit={send}
      onClose={onClose}
    >
      <Field label="From">
        {(control) => (
          <Select {...control} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
            {SINCE.map((each) => (
              <option key={each.hours} value={each.hours}>
                {each.label}
              </option>
            ))}
            <option value={MOMENT}>Since a date …</option>
          </Select>
        )}
      </Field>
      {hours === MOMENT && (
        <Field label="Since">
          {(control) => <Input {...control} type="datetime-local" value={moment} onChange={(event) => setMoment(event.target.value)} />}
        </Field>
      )}
    </FormDialog>
  );
}
