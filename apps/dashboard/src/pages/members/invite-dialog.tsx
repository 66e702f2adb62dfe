import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { capital } from "../../lib/format.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input, Select } from "../../ui/inputs.tsx";
import { ORDINARY_ROLES } from "./member-row.tsx";
import { RoleSummary } from "./role-summary.tsx";

const MAIL_WORDS = {
  sent: "We emailed this link. You can also share it yourself.",
  failed: "The email could not be sent. Copy the link and share it yourself.",
  off: "Email is not set up here. Copy the link and share it yourself.",
} as const;

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useWorkspaceContext();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<(typeof ORDINARY_ROLES)[number]>("author");
  const invite = useAct("invite_member", { stale: ["list_invitations"] });
  const made = invite.data;

  if (made) {
    return (
      <Dialog
        key="made"
        open
        width="md"
        onOpenChange={(open) => !open && onClose()}
        title="The invitation is ready"
        description={`For ${made.invitation.email}, as ${made.invitation.role}. It expires on ${formatDateTime(made.invitation.expiresAt)}.`}
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <div className="flex flex-col gap-3 text-sm">
          <CopyField label="invitation link" value={made.link} />
          <p className="text-muted">{MAIL_WORDS[made.mail]} The link is shown only once.</p>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      width="md"
      title={`Invite someone to ${workspace.name}`}
      action="Invite"
      busy={invite.isPending}
      problem={invite.error}
      fields={["email"]}
      onSubmit={() => invite.mutate({ workspaceId: workspace.id, email, role })}
      onClose={onClose}
    >
      <Field
        label="Email address"
        error={invite.error?.fieldError("email")}
        help="Only this person can accept. This replaces an earlier invitation to the same address."
      >
        {(control) => (
          <Input {...control} type="email" autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
        )}
      </Field>
      <Field label="Role">
        {(control) => (
          <Select {...control} value={role} onChange={(event) => setRole(event.target.value as typeof role)}>
            {ORDINARY_ROLES.map((each) => (
              <option key={each} value={each}>
                {capital(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <RoleSummary role={role} />
    </FormDialog>
  );
}
