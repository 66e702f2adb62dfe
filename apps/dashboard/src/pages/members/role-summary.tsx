import type { Role } from "@stet/contract";
import type { ReactNode } from "react";
import { useOp } from "../../api/hooks.ts";
import { ROLE_WORDS } from "../../lib/role-words.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { PERMISSION_WORDS, REACH_WORDS } from "./permission-words.ts";

/** The permissions of one role, from the policy's table, for a person who is about to give it to someone. */
export function RoleSummary({ role }: { role: Role }) {
  const { workspace } = useWorkspaceContext();
  const { data } = useOp("list_roles", { workspaceId: workspace.id });
  if (!data) return null;
  const may = data.permissions.filter(({ reach }) => reach[role] !== "none");
  const mayNot = data.permissions.filter(({ reach }) => reach[role] === "none");
  return (
    <div className="rounded-control bg-sunken px-3.5 py-3 text-[0.8125rem]">
      <p>{ROLE_WORDS[role].does}</p>
      <Permissions title={`What ${ROLE_WORDS[role].as} can do`}>
        {may.map(({ permission, reach }) => (
          <li key={permission}>
            {PERMISSION_WORDS[permission]}
            {reach[role] !== "any" && ` (${REACH_WORDS[reach[role]].toLowerCase()})`}
          </li>
        ))}
      </Permissions>
      {mayNot.length > 0 && (
        <Permissions title={`What ${ROLE_WORDS[role].as} cannot do`}>
          {mayNot.map(({ permission }) => (
            <li key={permission}>{PERMISSION_WORDS[permission]}</li>
          ))}
        </Permissions>
      )}
    </div>
  );
}

function Permissions({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mt-2 text-muted">
      <summary>{title}</summary>
      <ul className="mt-1 grid gap-x-4 gap-y-0.5 sm:grid-cols-2">{children}</ul>
    </details>
  );
}
