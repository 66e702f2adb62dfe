import { useAct } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { MoveProgress } from "../../ui/move-progress.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import type { ContentDatabase, DatabaseCheck } from "./words.ts";

const stale = ["get_own_database"] as const;
type Left = NonNullable<ContentDatabase["left"]>;
type Fetching = NonNullable<ContentDatabase["fetching"]>;

/** A database that the website left without copying back, or that is newer than the server's records, and what can be done about it. */
export function LeftContent({ content, check }: { content: ContentDatabase; check: DatabaseCheck | undefined }) {
  const { left, fetching } = content;
  if (!left?.isConnected && content.home === "managed" && check?.readOnly?.confirmable)
    return <FetchCard left={null} fetching={fetching} />;
  if (!left) return null;
  if (left.isConnected) return <FetchCard left={left} fetching={fetching} />;
  return left.fetchedAt === null ? <LeftNotice left={left} /> : null;
}

function LeftNotice({ left }: { left: Left }) {
  const { website } = useWebsiteContext();
  const forget = useAct("disconnect_own_database", { stale, onError: toast.error });
  return (
    <Notice
      title={<span className="break-all">Not everything was copied back from {left.shown}</span>}
      action={
        <Button size="sm" busy={forget.isPending} onClick={() => forget.mutate({ websiteId: website.id })}>
          Dismiss
        </Button>
      }
    >
      It was disconnected <TimeAgo at={left.leftAt} /> without copying. If it answers again, connect it below to fetch its content.
    </Notice>
  );
}

function FetchCard({ left, fetching }: { left: Left | null; fetching: Fetching | null }) {
  const { website } = useWebsiteContext();
  const here = { websiteId: website.id };
  const fetch = useAct("fetch_left_content", { stale, onError: toast.error });
  const stop = useAct("stop_content_move", { stale, onError: toast.error });
  const isRunning = fetching?.state === "running";
  const fetchedAt = left?.fetchedAt ?? null;
  const isFetched = (left ? fetchedAt !== null : fetching?.state === "done") && !isRunning;
  return (
    <Card title="Fetch content from this database">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="min-w-0 flex-1 basis-56 text-sm text-muted">
            {isFetched ? (
              <>
                Fetched
                {fetchedAt && (
                  <>
                    {" "}
                    <TimeAgo at={fetchedAt} />
                  </>
                )}
                : {broughtWords(fetching) || "nothing was missing here"}.
              </>
            ) : (
              <>
                {left && (
                  <>
                    It was disconnected <TimeAgo at={left.leftAt} /> without copying.{" "}
                  </>
                )}
                Your posts stay as they are: other versions are added to their history, and missing posts are added unpublished. Nothing
                changes in your database.
              </>
            )}
          </p>
          {isRunning ? (
            <Button busy={stop.isPending} onClick={() => stop.mutate(here)}>
              Stop
            </Button>
          ) : (
            <Button variant={isFetched ? "outline" : "primary"} busy={fetch.isPending} onClick={() => fetch.mutate(here)}>
              {isFetched ? "Fetch again" : fetching?.state === "failed" ? "Try again" : "Fetch"}
            </Button>
          )}
        </div>
        {fetching && (isRunning || fetching.error) && (
          <MoveProgress label="Records checked" move={fetching} facts={[broughtWords(fetching)]} />
        )}
      </div>
    </Card>
  );
}

/** What came; empty: nothing did. */
function broughtWords(fetching: Fetching | null): string {
  if (!fetching) return "";
  const { posts, versions, terms, images } = fetching.brought;
  const parts = [
    posts > 0 && plural(posts, "post"),
    versions > 0 && plural(versions, "version"),
    terms > 0 && plural(terms, "category, tag or author", "categories, tags and authors"),
    images > 0 && plural(images, "image"),
  ];
  return parts.filter(Boolean).join(", ");
}
