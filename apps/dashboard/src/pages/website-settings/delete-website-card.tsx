import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { rpc } from "../../api/rpc.ts";
import { sessionOptions } from "../../api/session.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { ConfirmCard } from "../../ui/confirm-card.tsx";
import { toast } from "../../ui/toast.tsx";

export function DeleteWebsiteCard() {
  const { website, workspace } = useWebsiteContext();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmCard
      title="Delete this website"
      description="Keys stop working right away, and the website disappears for everyone. Its content is erased permanently after 30 days."
      button="Delete website …"
      question={`Delete ${website.name}?`}
      action="Delete website"
      typeName={website.name}
      onConfirm={async (confirmName) => {
        await rpc("delete_website", { websiteId: website.id, confirmName });
        toast.ok(`${website.name} deleted.`);
        // Away first: this page has nothing left to show.
        await navigate({ to: "/w/$workspaceId", params: { workspaceId: workspace.id } });
        await client.invalidateQueries({ queryKey: sessionOptions.queryKey });
      }}
    >
      <p>This deletes every post and its history, categories, tags and authors, images, keys and webhooks, for everyone.</p>
      <p className="mt-2">Want to keep a copy? Export it first, under Import and export. After 30 days the content cannot be recovered.</p>
    </ConfirmCard>
  );
}
