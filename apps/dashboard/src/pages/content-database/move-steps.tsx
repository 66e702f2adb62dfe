import { useAct } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Step } from "../../ui/step.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import { ContentProgress } from "./content-progress.tsx";
import { type ContentDatabase, moveTo, type OwnDatabase } from "./words.ts";

const stale = ["get_own_database", "check_own_database"] as const;

interface Props {
  readonly content: ContentDatabase;
  readonly database: OwnDatabase;
}

const StopButton = ({ said }: { said: string }) => {
  const { website } = useWebsiteContext();
  const stop = useAct("stop_content_move", { stale, onError: toast.error, onSuccess: () => toast.ok(said) });
  return (
    <Button busy={stop.isPending} onClick={() => stop.mutate({ websiteId: website.id })}>
      Stop
    </Button>
  );
};

export function MigrateStep({ content, database }: Props) {
  const { website } = useWebsiteContext();
  const start = useAct("start_content_move", { stale, onError: toast.error });
  const isInUse = content.home === "own";
  const move = moveTo(content);
  const isRunning = move?.state === "running" && !database.switches;
  const isCompared = move?.comparedAt != null && move.state !== "failed" && !isRunning;
  const isDone = isInUse || isCompared;
  const isWaiting = move?.state !== "running" && !isDone;
  const isStopped = move?.state === "stopped" || move?.state === "failed";
  const description = isInUse ? (
    "Your content was copied and every record was compared."
  ) : isCompared ? (
    <>
      Copied, and every record compared <TimeAgo at={move.comparedAt!} />. Changes since then are copied when you activate.
    </>
  ) : (
    "Copies your content and compares every record. You can go on writing, and your website does not change."
  );
  const label = move?.state === "failed" ? "Try again" : move?.state === "stopped" ? "Continue" : "Migrate";
  return (
    <Step
      number={2}
      title="Migrate"
      state={isDone ? "done" : "current"}
      description={description}
      action={
        isRunning ? (
          <StopButton said="Migration stopped. Your content stays with Stet." />
        ) : (
          isWaiting && (
            <Button
              variant={content.left?.isConnected && content.left.fetchedAt === null ? "outline" : "primary"}
              busy={start.isPending}
              onClick={() => start.mutate({ websiteId: website.id })}
            >
              {label}
            </Button>
          )
        )
      }
    >
      {move && !isInUse && (isRunning || (isStopped && !isCompared)) && <ContentProgress move={move} />}
    </Step>
  );
}

export function ActivateStep({ content, database }: Props) {
  const { website } = useWebsiteContext();
  const activate = useAct("activate_own_database", { stale, onError: toast.error });
  const isInUse = content.home === "own";
  const move = moveTo(content);
  const isRunning = !isInUse && database.switches && move?.state === "running";
  const isReady = !isInUse && move?.comparedAt != null && move.state !== "running" && move.state !== "failed";
  return (
    <Step
      number={3}
      title="Activate"
      state={isInUse ? "done" : isReady || isRunning ? "current" : "later"}
      description={
        isInUse
          ? "Your website reads from and saves to your database."
          : "Switches your website to your database. Saving pauses for up to ten seconds. Your text stays in the editor."
      }
      action={
        isRunning ? (
          <StopButton said="Activation stopped. Your content stays with Stet." />
        ) : (
          isReady && (
            <Button variant="primary" busy={activate.isPending} onClick={() => activate.mutate({ websiteId: website.id })}>
              Activate
            </Button>
          )
        )
      }
    >
      {isRunning && <ContentProgress move={move} />}
    </Step>
  );
}
