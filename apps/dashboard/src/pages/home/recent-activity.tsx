import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/wire.ts";
import { activityWords, type ActivityPart } from "../../lib/activity-words.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";

type Entry = Output<"get_home">["activity"][number];

/** As many as stand beside the rest of the page. */
const SHOWN = 6;

/** The latest activity as sentences; the name of a post links to it. */
export function RecentActivity({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol className="flex flex-col gap-3">
      {entries.slice(0, SHOWN).map((entry) => (
        <li key={entry.id} className="text-sm">
          <p className="break-words">
            {activityWords(entry).map((part, index) => (
              <Part key={index} part={part} isGone={entry.action === "purge_post"} />
            ))}
          </p>
          <TimeAgo at={entry.at} className="text-[0.8125rem] text-muted" />
        </li>
      ))}
    </ol>
  );
}

function Part({ part: { kind, text, targetId }, isGone }: { part: ActivityPart; isGone: boolean }) {
  const { website } = useWebsiteContext();
  if (kind === "actor") return <strong className="font-medium">{text}</strong>;
  if (kind === "words") return text;
  if (!targetId?.startsWith("post_") || isGone) return <em className="not-italic">{text}</em>;
  return (
    <Link
      to="/s/$websiteId/posts/$postId"
      params={{ websiteId: website.id, postId: targetId }}
      className="font-medium underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  );
}
