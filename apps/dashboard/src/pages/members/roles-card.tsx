import { ROLES } from "@stet/contract";
import { Check, Minus } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import type { Reach } from "../../api/registry.ts";
import { capital } from "../../lib/format.ts";
import { ROLE_WORDS } from "../../lib/role-words.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { PERMISSION_WORDS, REACH_WORDS, TOOL_WORDS } from "./permission-words.ts";

/** The purpose of each role in a sentence and, on demand, the policy's own table, by which the server decides. */
export function RolesCard() {
  const { workspace } = useWorkspaceContext();
  return (
    <Card title="What each role can do" className="[&>div]:px-0 [&>div]:pb-0">
      <dl className="grid gap-x-6 gap-y-2 px-5 pb-4 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {ROLES.map((role) => (
          <div key={role} className="sm:contents">
            <dt className="font-medium">
              {capital(role)}
              {role === workspace.role && <Badge className="ml-2">You</Badge>}
            </dt>
            <dd className="text-muted">{ROLE_WORDS[role].does}</dd>
          </div>
        ))}
      </dl>
      <details className="border-t border-line">
        <summary className="px-5 py-3 text-sm font-medium">All permissions</summary>
        <p className="px-5 pb-2 text-sm text-muted">
          “Own” means posts the person created. A connected app can do what its owner can, up to what the last column allows.
        </p>
        <RolesTable />
      </details>
    </Card>
  );
}

function RolesTable() {
  const { workspace } = useWorkspaceContext();
  const roles = useOp("list_roles", { workspaceId: workspace.id });
  if (roles.isLoadingError) return <ErrorState error={roles.error} onRetry={() => void roles.refetch()} />;
  if (!roles.data) return <Skeleton className="mx-5 mb-4 h-64" />;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="All permissions">
      <table className="w-full min-w-[44rem] text-[0.8125rem]">
        <thead>
          <tr className="border-b border-line text-left text-xs text-muted">
            <th scope="col" className="sticky left-0 bg-surface py-2 pr-3 pl-5 font-medium">
              Permission
            </th>
            {roles.data.roles.map((role) => (
              <th key={role} scope="col" className="px-3 py-2 text-center font-medium capitalize">
                {role}
              </th>
            ))}
            <th scope="col" className="px-3 py-2 pr-5 text-center font-medium">
              Connected app
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {roles.data.permissions.map(({ permission, reach, tool }) => (
            <tr key={permission}>
              <th scope="row" className="sticky left-0 w-56 max-w-56 bg-surface py-2 pr-3 pl-5 text-left font-normal">
                {PERMISSION_WORDS[permission]}
              </th>
              {roles.data.roles.map((role) => (
                <td key={role} className="px-3 py-2 text-center">
                  <ReachMark reach={reach[role]} />
                </td>
              ))}
              <td className="px-3 py-2 pr-5 text-center text-muted">{TOOL_WORDS[tool]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ReachMark({ reach }: { reach: Reach }) {
  const words = REACH_WORDS[reach];
  if (reach === "any") return <Check role="img" aria-label={words} className="mx-auto size-4 text-ok" />;
  if (reach === "none") return <Minus role="img" aria-label={words} className="mx-auto size-4 text-line-strong" />;
  return <span>{words}</span>;
}
