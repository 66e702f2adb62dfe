import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { Permission } from "../api/registry.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { useWorkspaceContext } from "./website-context.ts";

/** Shows its children to people with the permission, and "No access" to others who open the address. The server refuses them anyway. */
export function RequirePermission({ permission, children }: { permission: Permission; children: ReactNode }) {
  const { workspace, may } = useWorkspaceContext();
  if (may(permission)) return children;
  return (
    <Page title="No access">
      <EmptyState icon={Lock} title="You do not have access to this">
        You are {/^[aeiou]/.test(workspace.role) ? "an" : "a"} {workspace.role} in {workspace.name}. Ask an owner or admin of the workspace
        for access.
      </EmptyState>
    </Page>
  );
}
