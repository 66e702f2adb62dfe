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
    onSuccess: ({ email }) => toast.ok(`Link sent to ${email}. It works once and expires in an hour.`),
    onError: toast.error,
  });
  const hasMail = install?.mail ?? false;
  return (
    <Card
      title="Email address"
      description="You sign in with it. Invitations and password resets are sent to it."
      footer={
        <Button disabled={!install} onClick={() => setChanging(true)}>
          Change address
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
                Send confirmation link
              </Button>
            }
          >
            Confirm it with a link that we email you. Until then, other members see it as not confirmed.
          </Notice>
        )}
      </div>
      {isChanging && <EmailDialog hasMail={hasMail} onClose={() => setChanging(false)} />}
    </Card>
  );
}
