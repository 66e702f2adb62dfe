import { Link } from "@tanstack/react-router";
import { formatNumber, plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { dismissFailures, useBulkRuns } from "./bulk-runs.ts";

/** More are no help to anybody, and slow to show. */
const SHOWN = 100;

/** Which posts it did not work for, and why; one run after the other. */
export function FailuresDialog() {
  const { website } = useWebsiteContext();
  const failures = useBulkRuns(website.id).failures[0];
  const close = () => dismissFailures(website.id);
  if (!failures) return null;
  const { doing, done, failed } = failures;
  return (
    <Dialog
      open
      onOpenChange={close}
      width="md"
      title={`${doing} failed for ${plural(failed.length, "post")}`}
      {...(done > 0 && { description: `${plural(done, "other post is", "other posts are")} done.` })}
      footer={<Button onClick={close}>Close</Button>}
    >
      <ul className="flex flex-col gap-3">
        {failed.slice(0, SHOWN).map(({ postId, title, why }) => (
          <li key={postId} className="text-sm">
            <Link
              to="/s/$websiteId/posts/$postId"
              params={{ websiteId: website.id, postId }}
              dir="auto"
              className="font-medium break-words hover:underline"
            >
              {title}
            </Link>
            <p className="text-muted">{why}</p>
          </li>
        ))}
      </ul>
      {failed.length > SHOWN && <p className="mt-3 text-sm text-muted">And {formatNumber(failed.length - SHOWN)} more.</p>}
    </Dialog>
  );
}
