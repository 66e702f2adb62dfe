import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, KeyRound, MoreHorizontal, Pause, Pencil, RotateCw, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAct, useOp, useRefreshOn } from "../../api/hooks.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { PageFrame, useDocumentTitle } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { EndpointNotice } from "./endpoint-notice.tsx";
import { ResendDialog } from "./resend-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { EVENT_WORDS, outcomeOf, STATUS_WORDS, type Webhook } from "./words.ts";

const LOOK_AGAIN_MILLIS = 3_000;

export function WebhookPage() {
  useDocumentTitle("Webhook endpoint");
  const { website } = useWebsiteContext();
  const { webhookId } = useParams({ from: "/signed-in/s/$websiteId/shell/settings/webhooks/$webhookId" });
  const webhooks = useOp("list_webhooks", { websiteId: website.id }, { refetchInterval: LOOK_AGAIN_MILLIS });
  if (webhooks.isPending) return <Loading />;
  const webhook = webhooks.data?.find(({ id }) => id === webhookId);
  if (!webhooks.isError && !webhook) return <NotFound />;
  return (
    <PageFrame>
      {webhook ? <Endpoint webhook={webhook} /> : <ErrorState error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
    </PageFrame>
  );
}

function Endpoint({ webhook }: { webhook: Webhook }) {
  const { website } = useWebsiteContext();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "delete" | "roll" | "resend" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [deliveryId, setDelivery] = useState<string | null>(null);
  const here = { websiteId: website.id, webhookId: webhook.id };
  const stale = ["list_webhooks", "list_deliveries"] as const;
  const pause = useAct("pause_webhook", {
    stale,
    onError: toast.error,
    onSuccess: () => toast.ok("Paused. Events are kept.", { label: "Undo", run: () => resume.mutate({ ...here, resend: true }) }),
  });
  const resume = useAct("resume_webhook", { stale, onError: toast.error, onSuccess: () => toast.ok("Switched on.") });
  const test = useAct("test_webhook", {
    stale,
    onError: toast.error,
    // The person wants to see the result of the test.
    onSuccess: ({ deliveryId: sent }) => setDelivery(sent),
  });
  const roll = useAct("roll_webhook_secret", { stale, onSuccess: ({ secret: shown }) => setSecret(shown) });
  const remove = useAct("delete_webhook", { stale });
  useRefreshOn(`${webhook.waiting} ${webhook.missed} ${webhook.lastAttempt?.at}`, "list_deliveries");
  const isOn = webhook.status === "active" || webhook.status === "failing";
  const { label, tone } = STATUS_WORDS[webhook.status];

  return (
    <>
      <Link
        to="/s/$websiteId/settings/webhooks"
        params={{ websiteId: website.id }}
        className="flex w-fit items-center gap-1.5 text-sm text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" /> All endpoints
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-2.5 text-lg font-semibold break-all">
            {webhook.url} <Badge tone={tone}>{label}</Badge>
          </h1>
          <p className="mt-1 text-sm text-muted">
            {webhook.events.map((event) => EVENT_WORDS[event].label).join(", ")}
            {webhook.debounceSeconds > 0 && ` · groups changes for ${webhook.debounceSeconds} s`}
            {webhook.lastAttempt && (
              <>
                {` · ${outcomeOf(webhook.lastAttempt)}, `}
                <TimeAgo at={webhook.lastAttempt.at} />
              </>
            )}
          </p>
          {webhook.previousSecretUntil && (
            <p className="mt-1 text-sm text-muted">
              Secret rolled. The previous one also works until {formatDateTime(webhook.previousSecretUntil)}.
            </p>
          )}
        </div>
        <div className="flex gap-2">
          <Button disabled={!isOn} busy={test.isPending} onClick={() => test.mutate(here)}>
            <Send aria-hidden /> Send a test
          </Button>
          <Menu
            trigger={
              <IconButton label="More actions" variant="outline">
                <MoreHorizontal />
              </IconButton>
            }
          >
            <MenuItem onSelect={() => setOpen("edit")}>
              <Pencil aria-hidden /> Edit
            </MenuItem>
            {isOn && (
              <>
                <MenuItem onSelect={() => pause.mutate(here)}>
                  <Pause aria-hidden /> Pause
                </MenuItem>
                <MenuItem onSelect={() => setOpen("resend")}>
                  <RotateCw aria-hidden /> Resend failed deliveries
                </MenuItem>
              </>
            )}
            <MenuItem onSelect={() => setOpen("roll")}>
              <KeyRound aria-hidden /> Roll secret
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => setOpen("delete")}>
              <Trash2 aria-hidden /> Delete
            </MenuItem>
          </Menu>
        </div>
      </div>
      <EndpointNotice webhook={webhook} />
      <DeliveryLog webhookId={webhook.id} onOpen={setDelivery} />
      {deliveryId && <DeliveryDialog deliveryId={deliveryId} webhook={webhook} onClose={() => setDelivery(null)} />}
      {open === "edit" && <WebhookForm webhook={webhook} onClose={() => setOpen(null)} />}
      {open === "resend" && <ResendDialog webhookId={webhook.id} onClose={() => setOpen(null)} />}
      <ConfirmDialog
        open={open === "roll"}
        onOpenChange={() => setOpen(null)}
        title="Roll the signing secret?"
        action="Roll secret"
        danger={false}
        onConfirm={() => roll.mutateAsync(here)}
      >
        Creates a new secret and shows it once. For 24 hours deliveries are signed with both, so that you can update your receiver at any
        time.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === "delete"}
        onOpenChange={() => setOpen(null)}
        title="Delete this endpoint?"
        action="Delete endpoint"
        onConfirm={async () => {
          await remove.mutateAsync(here);
          toast.ok("Endpoint deleted.");
          await navigate({ to: "/s/$websiteId/settings/webhooks", params: { websiteId: website.id } });
        }}
      >
        Nothing is sent to {webhook.url} any more, and its delivery log is deleted. To stop for a while, pause it instead.
      </ConfirmDialog>
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
