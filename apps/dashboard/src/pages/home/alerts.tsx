import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/wire.ts";
import { usagePageName } from "../../lib/plan-words.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

type Alert = Output<"get_home">["alerts"][number];

/** The alerts, above everything else: each says what happened and what to do, with a link. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  if (alerts.length === 0) return null;
  return (
    <section aria-label="Alerts" className="flex flex-col gap-2">
      {alerts.map((alert) => (
        <Notice
          key={`${alert.kind} ${alert.link?.id}`}
          tone={alert.severity === "critical" ? "danger" : "warn"}
          title={alert.message}
          action={alert.link && <AlertLink link={alert.link} />}
        >
          {alert.next}
        </Notice>
      ))}
    </section>
  );
}

function AlertLink({ link: { kind, id } }: { link: NonNullable<Alert["link"]> }) {
  const { website, workspace, may } = useWebsiteContext();
  const websiteId = website.id;
  const className = buttonClass({ size: "sm" });
  switch (kind) {
    case "webhook":
      return (
        <Link to="/s/$websiteId/settings/webhooks/$webhookId" params={{ websiteId, webhookId: id }} className={className}>
          Open webhook
        </Link>
      );
    case "plan":
      return (
        <Link to="/w/$workspaceId/plan" params={{ workspaceId: id }} className={className}>
          {usagePageName(workspace.plan)}
        </Link>
      );
    case "images":
      return (
        <Link to="/s/$websiteId/settings/images" params={{ websiteId }} className={className}>
          Image storage
        </Link>
      );
    case "post":
      return (
        <Link to="/s/$websiteId/posts/$postId" params={{ websiteId, postId: id }} className={className}>
          Open post
        </Link>
      );
    case "website":
      return may("store.manage") ? (
        <Link to="/s/$websiteId/settings/database" params={{ websiteId }} className={className}>
          Open settings
        </Link>
      ) : null;
  }
}
