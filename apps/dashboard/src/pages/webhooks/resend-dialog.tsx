import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input, Select } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";

const SINCE = [
  { hours: 1, label: "The last hour" },
  { hours: 24, label: "The last day" },
  { hours: 24 * 7, label: "The last week" },
  { hours: 24 * 90, label: "Everything that is kept (90 days)" },
];
const MOMENT = 0;

/** Sends everything again that did not arrive since a time. */
export function ResendDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const { website } = usePlace();
  const [hours, setHours] = useState(24);
  const [moment, setMoment] = useState("");
  const resend = useAct("resend_failed", {
    stale: ["list_webhooks", "list_deliveries"],
    onSuccess: ({ resent }) => {
      toast.ok(resent > 0 ? `${plural(resent, "delivery", "deliveries")} on the way.` : "Everything since then has arrived.");
      onClose();
    },
  });
  const send = () => {
    const since = hours === MOMENT ? new Date(moment) : new Date(Date.now() - hours * 3_600_000);
    resend.mutate({ websiteId: website.id, webhookId, since: since.toISOString() });
  };
  return (
    <FormDialog
      title="Resend what did not arrive"
      description="Every delivery that failed or was missed is sent again, in order. A receiver knows an event by its id."
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
            <option value={MOMENT}>Since a moment …</option>
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
