import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/wire.ts";
import { formatBytes } from "../../lib/format.ts";
import { isOwnServer, usagePageName } from "../../lib/plan-words.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The thresholds of the alerts on the home page. */
const PERCENTS = [100, 90, 75] as const;

/** Warns people who upload images before the storage is full. */
export function StorageNotice({ usage }: { usage: Output<"get_usage"> }) {
  const { workspace } = useWebsiteContext();
  const { storageBytes: used, limits } = usage;
  const allowed = limits.storageBytes;
  if (allowed === null) return null;
  const percent = PERCENTS.find((each) => used * 100 >= each * allowed);
  if (percent === undefined) return null;
  const left = formatBytes(Math.max(0, allowed - used));
  return (
    <Notice
      tone={percent === 100 ? "danger" : "warn"}
      title={percent === 100 ? "Image storage is full" : `Over ${percent} % of image storage is used: ${left} left`}
      action={
        <Link to="/w/$workspaceId/plan" params={{ workspaceId: workspace.id }} className={buttonClass({ size: "sm" })}>
          {usagePageName(workspace.plan)}
        </Link>
      }
    >
      {percent === 100 ? "Uploads fail until there is space. " : ""}
      All websites in {workspace.name} share this storage. Delete unused images, including those in the trash
      {isOwnServer(workspace.plan) ? "." : ", or choose a larger plan."}
    </Notice>
  );
}
