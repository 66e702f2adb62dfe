import { Link } from "@tanstack/react-router";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Snippets } from "./snippets.tsx";
import { TryLocally } from "./try-locally.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { EVENT_WORDS, offWords, outcomeOf, STATUS_WORDS, type Webhook } from "./words.ts";

/** While something is on its way its end is worth waiting for. */
const LOOK_AGAIN_MILLIS = 4_000;

export function WebhooksPage() {
  const { website } = useWebsiteContext();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const webhooks = useOp("list_webhooks", { websiteId: website.id }, { refetchInterval: LOOK_AGAIN_MILLIS });
  const off = webhooks.data?.filter(({ status }) => status === "off") ?? [];
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      Add endpoint
    </Button>
  );

  return (
    <Page
      title="Webhooks"
      description="Stet calls these addresses when a post is published, updated, unpublished or deleted. Requests are signed, and retried when they fail."
      actions={webhooks.data && webhooks.data.length > 0 && add}
    >
      {off.map((webhook) => (
        <Notice
          key={webhook.id}
          tone="danger"
          title={`${hostOf(webhook.url)} was switched off`}
          action={
            <Link
              to="/s/$websiteId/settings/webhooks/$webhookId"
              params={{ websiteId: website.id, webhookId: webhook.id }}
              className={buttonClass({ size: "sm" })}
            >
              View endpoint
            </Link>
          }
        >
          {offWords(webhook)}
        </Notice>
      ))}
      {!webhooks.data ? (
        webhooks.isError ? (
          <ErrorState error={webhooks.error} onRetry={() => void webhooks.refetch()} />
        ) : (
          <Loading />
        )
      ) : webhooks.data.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="No endpoints yet" action={add}>
          Add an address to call when posts change, such as your host’s build hook or a route of your own.
        </EmptyState>
      ) : (
        <ul className="grid gap-3 xl:grid-cols-2">
          {webhooks.data.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} websiteId={website.id} />
          ))}
        </ul>
      )}
      <Snippets />
      <TryLocally websiteId={website.id} />
      {adding && (
        <WebhookForm
          onClose={() => setAdding(false)}
          onCreated={(shown) => {
            setAdding(false);
            setSecret(shown);
          }}
        />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

function WebhookCard({ webhook, websiteId }: { webhook: Webhook; websiteId: string }) {
  const { label, tone } = STATUS_WORDS[webhook.status];
  return (
    <li>
      <Link
        to="/s/$websiteId/settings/webhooks/$webhookId"
        params={{ websiteId, webhookId: webhook.id }}
        className="flex h-full flex-col gap-3 rounded-card border border-line bg-surface px-5 py-4 hover:border-line-strong"
      >
        <span className="flex items-start justify-between gap-3">
          <span className="min-w-0 break-all font-medium">{webhook.url}</span>
          <Badge tone={tone}>{label}</Badge>
        </span>
        <span className="flex flex-wrap gap-1.5">
          {webhook.events.map((event) => (
            <Badge key={event}>{EVENT_WORDS[event].label}</Badge>
          ))}
        </span>
        <span className="mt-auto flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-muted">
          <span>
            {webhook.lastAttempt ? (
              <>
                {outcomeOf(webhook.lastAttempt)}, <TimeAgo at={webhook.lastAttempt.at} />
              </>
            ) : (
              "No deliveries yet"
            )}
          </span>
          {webhook.failures > 0 && (
            <span className="text-danger">{webhook.failures > 1 ? `${webhook.failures} failures in a row` : "1 failure"}</span>
          )}
          {webhook.waiting > 0 && <span>{webhook.waiting} waiting</span>}
          {webhook.missed > 0 && <span>{webhook.missed} missed</span>}
        </span>
      </Link>
    </li>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;
