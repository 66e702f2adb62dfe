import { Link } from "@tanstack/react-router";
import { plural } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { BulkFailures } from "./use-bulk.ts";

/** Which posts it did not work for, and why; the others are done. */
export function FailuresDialog({ failures, onClose }: { failures: BulkFailures | null; onClose: () => void }) {
  const { website } = usePlace();
  return (
    <Dialog
      open={failures !== null}
      onOpenChange={onClose}
      width="md"
      title={failures ? `${failures.doing}: it did not work for ${plural(failures.failed.length, "post")}` : ""}
      {...(failures && failures.done > 0 && { description: `The other ${plural(failures.done, "post is", "posts are")} done.` })}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="flex flex-col gap-3">
        {failures?.failed.map(({ postId, title, why }) => (
          <li key={postId} className="text-sm">
            <Link to="/s/$websiteId/posts/$postId" params={{ websiteId: website.id, postId }} className="font-medium hover:underline">
              {title}
            </Link>
            <p className="text-muted">{why}</p>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
