import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeleteWorkspaceCard } from "./delete-workspace-card.tsx";
import { LeaveWorkspaceCard } from "./leave-workspace-card.tsx";
import { TransferOwnershipCard } from "./transfer-ownership-card.tsx";
import { WebsitesCard } from "./websites-card.tsx";

export function WorkspaceGeneralPage() {
  const { may } = useWorkspaceContext();
  return (
    <Page title="Workspace" description="Its websites and the people who work on them.">
      <div className="flex max-w-3xl flex-col gap-6">
        <NameCard />
        <WebsitesCard />
        {may("workspace.transfer") && <TransferOwnershipCard />}
        <LeaveWorkspaceCard />
        {may("workspace.delete") && <DeleteWorkspaceCard />}
      </div>
    </Page>
  );
}

function NameCard() {
  const { workspace, may } = useWorkspaceContext();
  // Null: nothing is typed, and a name that somebody else gives it is shown.
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? workspace.name;
  const rename = useAct("rename_workspace", {
    stale: ["session", "get_workspace", "list_workspaces"],
    onSuccess: () => toast.ok("Workspace renamed."),
  });
  const isChanged = name !== workspace.name;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Once the new name has arrived, or the old one would be seen for a moment.
        rename.mutate({ workspaceId: workspace.id, name }, { onSuccess: () => setTyped(null) });
      }}
    >
      <LeaveGuard when={isChanged && !rename.isPending} />
      <Card
        title="Name"
        description={`You are ${workspace.role === "owner" ? "the owner" : `a member with the role ${workspace.role}`}.`}
        footer={
          may("workspace.manage") && (
            <>
              <p role="status" className="mr-auto text-sm text-muted">
                {isChanged ? "Unsaved changes" : "All changes saved"}
              </p>
              <Button type="submit" variant="primary" disabled={!isChanged} busy={rename.isPending}>
                Save
              </Button>
            </>
          )
        }
      >
        {may("workspace.manage") ? (
          <Field label="Workspace name" hideLabel error={rename.error?.fieldError("name") ?? rename.error?.message}>
            {(control) => <Input {...control} value={name} onChange={(event) => setTyped(event.target.value)} />}
          </Field>
        ) : (
          <p className="text-sm break-words">
            {workspace.name} <span className="text-muted">(an owner or admin can rename it)</span>
          </p>
        )}
      </Card>
    </form>
  );
}
