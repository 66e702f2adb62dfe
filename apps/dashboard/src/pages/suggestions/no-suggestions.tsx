import { Link } from "@tanstack/react-router";
import { Lightbulb } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Says what would be here, and whether the website holds changes at all. */
export function NoSuggestions() {
  const { website, may } = useWebsiteContext();
  const settings = useOp("get_website", { websiteId: website.id }).data?.settings;
  const isHeld = settings?.holdToolChanges ?? true;
  return (
    <EmptyState
      icon={Lightbulb}
      title="No open suggestions"
      action={
        may("website.manage") && (
          <Link to="/s/$websiteId/settings" params={{ websiteId: website.id }} className={buttonClass()}>
            Open website settings
          </Link>
        )
      }
    >
      {isHeld
        ? "This website holds AI changes: when a connected app changes something that readers see, the change waits here until someone accepts it. Drafts are changed right away."
        : "On this website, connected apps change posts right away. With “Hold AI changes” in the website settings, their changes to content that readers see wait here until someone accepts them."}
    </EmptyState>
  );
}
