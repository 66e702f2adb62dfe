import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";

const SINCE = [
  { hours: 1, label: "the last hour" },
  { hours: 24, label: "the last day" },
  { hours: 24 * 7, label: "the last week" },
  { hours: 24 * 90, label: "everything that is kept (90 days)" },
];

/** Sends everything again that failed since a time. */
export function ResendDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const { website } = usePlace();
  const [hours, setHours] = useState(24);
  const resend = useAct("resend_failed", {
    stale: ["list_webhooks", "list_deliveries"],
    onSuccess: ({ resent }) => {
      toast.ok(resent > 0 ? `${plural(resent, "delivery", "deliveries")} on the way.` : "Nothing had failed.");
      onClose();
    },
  });
  const send = () => resend.mutate({ websiteId: website.id, webhookId, since: new Date(Date.now() - hours * 3_600_000).toISOString() });
  return (
    <FormDialog title="Resend what failed" action="Resend" busy={resend.isPending} problem={resend.error} onSubmit={send} onClose={onClose}>
      <Field label="From" help="Each is signed anew. A receiver knows an event by its id.">
        {(control) => (
          <Select {...control} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
            {SINCE.map((each) => (
              <option key={each.hours} value={each.hours}>
                {each.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}
