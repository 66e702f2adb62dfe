import type { HostedPlanName, PlanName } from "@stet/contract";
import { Link } from "@tanstack/react-router";
import { useAct, useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { capital } from "../../lib/format.ts";
import { type ApiProblem, messageOf } from "../../lib/problem.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";

type Problems = Output<"preview_plan_change">["problems"];

/** Checks first whether the workspace fits the plan. Each limit that it exceeds is listed with a link. */
export function ChangePlanDialog({ plan, currentPlan, onClose }: { plan: HostedPlanName; currentPlan: PlanName; onClose: () => void }) {
  const { workspace } = useWorkspaceContext();
  const input = { workspaceId: workspace.id, plan };
  const preview = useOp("preview_plan_change", input);
  const change = useAct("change_plan", {
    stale: ["session", "get_usage", "preview_plan_change", "get_home"],
    onSuccess: () => {
      toast.ok(`The workspace is on the ${plan} plan now.`);
      onClose();
    },
  });
  // Refused all the same: something was added since it was looked at.
  const problems = problemsIn(change.error) ?? preview.data?.problems;
  const fits = problems?.length === 0;
  return (
    <Dialog
      open
      width="md"
      onOpenChange={(open) => !open && onClose()}
      title={`Change to the ${capital(plan)} plan`}
      footer={
        <>
          <Button onClick={onClose}>{fits ? "Cancel" : "Close"}</Button>
          {fits && (
            <Button variant="primary" busy={change.isPending} onClick={() => change.mutate(input)}>
              Change plan
            </Button>
          )}
        </>
      }
    >
      {preview.isLoadingError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !problems ? (
        <Loading label="Checking that everything fits …" />
      ) : fits ? (
        <div className="flex flex-col gap-3 text-sm">
          <p className="text-muted">
            {workspace.name} fits the {plan} plan. It changes from the {currentPlan} plan right away, and the new limits apply from the next
            request.
          </p>
          {change.error && <Notice tone="danger">{messageOf(change.error)}</Notice>}
        </div>
      ) : (
        <div className="flex flex-col gap-3 text-sm">
          <p>The workspace does not fit the {plan} plan yet. Change this first:</p>
          <ul className="flex flex-col gap-2">
            {problems.map(({ message, facts }) => (
              <li key={message} className="flex flex-col gap-1 rounded-control bg-warn-soft px-3.5 py-2.5">
                {message}
                <WayTo facts={facts} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}

function WayTo({ facts }: { facts: Problems[number]["facts"] }) {
  const { id: workspaceId, name, websites } = useWorkspaceContext().workspace;
  const look = "self-start font-medium underline";
  const website = websites.find(({ id }) => id === facts["websiteId"]);
  if (facts["limit"] === "websites") {
    return (
      <Link to="/w/$workspaceId" params={{ workspaceId }} className={look}>
        Websites of {name}
      </Link>
    );
  }
  if (facts["limit"] === "liveKeys" && website) {
    return (
      <Link to="/s/$websiteId/settings/keys" params={{ websiteId: website.id }} className={look}>
        Keys of {website.name}
      </Link>
    );
  }
  const first = websites[0];
  if (facts["limit"] === "storageBytes" && first) {
    return (
      <Link to="/s/$websiteId/media" params={{ websiteId: website?.id ?? first.id }} className={look}>
        Media
      </Link>
    );
  }
  return null;
}

function problemsIn(error: ApiProblem | null): Problems | undefined {
  const problems = error?.facts["problems"];
  return Array.isArray(problems) ? (problems as Problems) : undefined;
}
