import { useNavigate, useSearch } from "@tanstack/react-router";
import { MailCheck } from "lucide-react";
import { useAct } from "../../api/hooks.ts";
import { useSession } from "../../api/session.ts";
import { messageOf } from "../../lib/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";

/** The page that the confirmation email links to. It waits for a click, because programs that scan mail open links too. */
export function ConfirmEmailPage() {
  const { user } = useSession();
  const { email = "", token = "" } = useSearch({ from: "/signed-in/account/confirm-email" });
  const navigate = useNavigate();
  const confirm = useAct("confirm_email", {
    stale: ["session"],
    onSuccess: () => {
      toast.ok(`${email} is confirmed.`);
      void navigate({ to: "/account" });
    },
  });
  const isNew = email !== user.email;
  return (
    <Page title="Confirm your email address" narrow>
      <Card
        footer={
          <Button variant="primary" busy={confirm.isPending} disabled={!email || !token} onClick={() => confirm.mutate({ email, token })}>
            {!confirm.isPending && <MailCheck aria-hidden />}
            {isNew ? "Use this address" : "Confirm address"}
          </Button>
        }
      >
        <div className="flex flex-col gap-3 pt-1 text-sm">
          {confirm.error && <Notice tone="danger">{messageOf(confirm.error)}</Notice>}
          {(!email || !token) && <Notice tone="danger">This link is incomplete. Open it from the email again.</Notice>}
          <p>
            You are signed in as <span className="font-medium">{user.name}</span>.{" "}
            {isNew ? (
              <>
                Once you confirm it, you sign in with <span className="font-medium wrap-anywhere">{email}</span> instead of{" "}
                <span className="font-medium wrap-anywhere">{user.email}</span>.
              </>
            ) : (
              <>
                Your email address is <span className="font-medium wrap-anywhere">{email}</span>.
              </>
            )}
          </p>
        </div>
      </Card>
    </Page>
  );
}
