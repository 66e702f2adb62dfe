import { Link } from "@tanstack/react-router";
import { capital } from "../lib/format.ts";
import { isOwnServer } from "../lib/plan-words.ts";
import { useWebsiteContext } from "./website-context.ts";

/** In place of something that the plan does not include. */
export function NotInPlan({ feature }: { /** Within a sentence: "your own image storage". */ feature: string }) {
  const { workspace } = useWebsiteContext();
  return (
    <p className="text-sm text-muted">
      {isOwnServer(workspace.plan) ? (
        `${capital(feature)} is switched off on this server.`
      ) : (
        <>
          The {workspace.plan} plan does not include {feature}.{" "}
          <Link to="/w/$workspaceId/plan" params={{ workspaceId: workspace.id }} className="text-text underline">
            Compare plans
          </Link>
        </>
      )}
    </p>
  );
}
