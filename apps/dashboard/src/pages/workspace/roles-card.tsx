import { Check, Minus } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import type { Reach } from "../../api/registry.ts";
import { useWorkspace } from "../../shell/place.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { PERMISSION_WORDS, REACH_WORDS, TOOL_WORDS } from "./permission-words.ts";

/** The policy's own table: what is shown here is what the server decides by. */
export function RolesCard() {
  const { workspace } = useWorkspace();
  const roles = useOp("list_roles", { workspaceId: workspace.id });
  return (
    <Card
      title="What the roles may do"
      description="“Own” means posts that the person began. A connected tool may do what its person may, and at most what the last column says."
      className="[&>div]:px-0"
    >
      {roles.error ? (
        <ErrorState error={roles.error} onRetry={() => void roles.refetch()} />
      ) : !roles.data ? (
        <Skeleton className="mx-5 h-64" />
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="What the roles may do">
          <table className="w-full min-w-[44rem] text-[0.8125rem]">
            <thead>
              <tr className="border-b border-line text-left text-xs text-muted">
                <th scope="col" className="sticky left-0 bg-surface py-2 pr-3 pl-5 font-medium">
                  May
                </th>
                {roles.data.roles.map((role) => (
                  <th key={role} scope="col" className="px-3 py-2 text-center font-medium capitalize">
                    {role}
                  </th>
                ))}
                <th scope="col" className="px-3 py-2 pr-5 text-center font-medium">
                  Connected tool
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
      )}
    </Card>
  );
}

function ReachMark({ reach }: { reach: Reach }) {
  const words = REACH_WORDS[reach];
  if (reach === "any") return <Check role="img" aria-label={words} className="mx-auto size-4 text-ok" />;
  if (reach === "none") return <Minus role="img" aria-label={words} className="mx-auto size-4 text-line-strong" />;
  return <span>{words}</span>;
}
