import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { rpc } from "../../api/rpc.ts";
import { plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toast.tsx";

/** Deletes every image of the trash permanently, to free storage. */
export function EmptyTrash() {
  const { website } = useWebsiteContext();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);

  const removeAll = async () => {
    const here = { websiteId: website.id };
    let removed = 0;
    try {
      for (;;) {
        const { items } = await rpc("list_media", { ...here, trashed: true, limit: 100 });
        if (items.length === 0) break;
        for (const { id } of items) await rpc("purge_media", { ...here, mediaId: id });
        removed += items.length;
      }
    } finally {
      await Promise.all(["list_media", "get_usage"].map((name) => client.invalidateQueries({ queryKey: [name] })));
    }
    toast.ok(`Trash emptied: ${plural(removed, "image")} deleted permanently.`);
  };

  return (
    <>
      <Button variant="danger-outline" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        Empty trash
      </Button>
      <ConfirmDialog open={asking} onOpenChange={setAsking} title="Empty trash?" action="Delete all permanently" onConfirm={removeAll}>
        Every image in the trash of {website.name} is deleted permanently. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
