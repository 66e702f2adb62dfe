import { useAct } from "../../api/hooks.ts";
import { LeaveStep } from "../../shell/leave-step.tsx";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { toast } from "../../ui/toast.tsx";
import { ContentProgress } from "./content-progress.tsx";
import { MissingContent } from "./missing-content.tsx";
import type { ContentDatabase } from "./words.ts";

const stale = ["get_own_database", "get_usage"] as const;

export function DisconnectStep({ content, isAway }: { content: ContentDatabase; isAway: boolean }) {
  const { website } = useWebsiteContext();
  const here = { websiteId: website.id };
  const isInUse = content.home === "own";
  const disconnect = useAct("disconnect_own_database", {
    stale,
    onSuccess: ({ database }) => {
      if (!database) toast.ok("Database disconnected.");
    },
  });
  const stop = useAct("stop_content_move", { stale, onError: toast.error, onSuccess: () => toast.ok("Disconnecting stopped.") });
  const back = isInUse && content.move?.direction === "back" && content.move.state !== "done" ? content.move : null;
  const isLeaving = back?.state === "running";
  return (
    <LeaveStep
      description={
        isLeaving
          ? "Your content is copied back to Stet and compared. Your website uses your database until that is done."
          : isInUse
            ? "Copies your content back to Stet. Nothing is deleted in your database."
            : "Forgets the address of your database. Your content stays with Stet."
      }
      leaving={isLeaving ? { isStopping: stop.isPending, stop: () => stop.mutate(here), retry: null } : null}
      confirm={{
        title: "Disconnect this database?",
        words: isInUse ? (
          <>
            <p>Your content will be copied back and every record compared first. Your website shows it the whole time.</p>
            <p className="mt-2">Saving pauses for a few seconds at the end. Nothing is deleted in your database.</p>
          </>
        ) : (
          <p>Your content stays with Stet. Records that were copied stay in your database.</p>
        ),
        onConfirm: () => disconnect.mutateAsync(here),
      }}
      without={
        isInUse && (isAway || back?.error)
          ? {
              title: "Disconnect without copying?",
              reason: "Database gone permanently? You can return to the copy that Stet kept when you activated it.",
              othersReason: "Database gone permanently? The owner of the workspace can disconnect without copying.",
              words: <MissingContent />,
              onConfirm: (confirmName) => disconnect.mutateAsync({ ...here, withoutCopying: true, confirmName }),
            }
          : null
      }
    >
      {back && back.state !== "stopped" && <ContentProgress move={back} />}
    </LeaveStep>
  );
}
