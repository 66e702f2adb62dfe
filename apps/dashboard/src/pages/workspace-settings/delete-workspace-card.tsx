import { rpc } from "../../api/rpc.ts";
import { plural } from "../../lib/format.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { ConfirmCard } from "../../ui/confirm-card.tsx";
import { toast } from "../../ui/toast.tsx";
import { useExitWorkspace } from "./use-exit-workspace.ts";

export function DeleteWorkspaceCard() {
  const { workspace } = useWorkspaceContext();
  const exitWorkspace = useExitWorkspace();
  const count = workspace.websites.length;
  return (
    <ConfirmCard
      title="Delete this workspace"
      description="Everyone loses access right away, and every key stops working. Its content is erased permanently after 30 days."
      button="Delete workspace …"
      question={`Delete ${workspace.name}?`}
      action="Delete workspace"
      typeName={workspace.name}
      onConfirm={async (confirmName) => {
        await rpc("delete_workspace", { workspaceId: workspace.id, confirmName });
        toast.ok(`${workspace.name} deleted.`);
        await exitWorkspace();
      }}
    >
      <p>
        This deletes{count === 0 ? "" : ` ${plural(count, "website")} with all posts, images and keys,`} the members and the activity log,
        for everyone.
      </p>
      {count > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {workspace.websites.map(({ id, name }) => (
            <li key={id} className="break-words">
              {name}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2">Want to keep a copy? Export each website first. After 30 days it cannot be recovered.</p>
    </ConfirmCard>
  );
}
