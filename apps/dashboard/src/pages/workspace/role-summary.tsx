import type { Role } from "@stet/contract";
import { useOp } from "../../api/hooks.ts";
import { useWorkspace } from "../../shell/place.tsx";
import { PERMISSION_WORDS, REACH_WORDS } from "./permission-words.ts";

/** What one role may do, from the policy's table: for whoever is about to give it to someone. */
export function RoleSummary({ role }: { role: Role }) {
  const { workspace } = useWorkspace();
  const { data } = useOp("list_roles", { workspaceId: workspace.id });
  if (!data) return null;
  const may = data.permissions.filter(({ reach }) => reach[role] !== "none");
  const mayNot = data.permissions.filter(({ reach }) => reach[role] === "none");
  return (
    <div className="rounded-control bg-sunken px-3.5 py-3 text-[0.8125rem]">
      <p className="font-medium">
        {/^[aeiou]/.test(role) ? "An" : "A"} {role} may
      </p>
      <ul className="mt-1 grid gap-x-4 gap-y-0.5 text-muted sm:grid-cols-2">
        {may.map(({ permission, reach }) => (
          <li key={permission}>
            {PERMISSION_WORDS[permission]}
            {reach[role] !== "any" && ` (${REACH_WORDS[reach[role]].toLowerCase()})`}
          </li>
        ))}
      </ul>
      {mayNot.length > 0 && (
        <details className="mt-2">
          <summary className="text-muted">and {mayNot.length} things not</summary>
          <ul className="mt-1 grid gap-x-4 gap-y-0.5 text-muted sm:grid-cols-2">
            {mayNot.map(({ permission }) => (
              <li key={permission}>{PERMISSION_WORDS[permission]}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
