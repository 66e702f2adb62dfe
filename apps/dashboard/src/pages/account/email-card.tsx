import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { installOptions, useSession } from "../../api/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { EmailDialog } from "./email-dialog.tsx";

export function EmailCard() {
  const { user } = useSession();
  const { data: install } = useQuery(installOptions);
  const [isChanging, setChanging] = useState(false);
  const send = useAct("send_email_proof", {
    onSuccess: ({ email }) => toast.ok(`A link is on its way to ${email}. It works once, within an hour.`),
    onError: toast.error,
  });
  const hasMail = install?.mail ?? false;
  return (
    <Card
      title="E-mail address"
      description="You sign in with it. Invitations to workspaces and links for a new password are sent to it."
      footer={
        <Button disabled={!install} onClick={() => setChanging(true)}>
          Change the address
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="font-medium wrap-anywhere">{user.email}</span>
          {hasMail && <Badge tone={user.emailVerified ? "ok" : "warn"}>{user.emailVerified ? "Confirmed" : "Not confirmed"}</Badge>}
        </p>
        {hasMail && !user.emailVerified && (
          <Notice
            tone="warn"
            action={
              <Button size="sm" busy={send.isPending} onClick={() => send.mutate({})}>
                Send the link
              </Button>
            }
          >
            Show that letters to it reach you: a link confirms it. Until then the people you work with see that it is not confirmed.
          </Notice>
        )}
      </div>
      {isChanging && <EmailDialog hasMail={hasMail} onClose={() => setChanging(false)} />}
    </Card>
  );
}
