import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { Permission } from "../api/registry.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { useWorkspace } from "./place.tsx";

/** What stands here is for some roles. Whoever comes by its address without one is told so; the server refuses them anyway. */
export function Allowed({ permission, children }: { permission: Permission; children: ReactNode }) {
  const { workspace, may } = useWorkspace();
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
