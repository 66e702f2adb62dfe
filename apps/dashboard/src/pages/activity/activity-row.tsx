import { Link } from "@tanstack/react-router";
import { Bot, Cog } from "lucide-react";
import type { ReactNode } from "react";
import type { Output } from "../../api/wire.ts";
import { activityDetails } from "../../lib/activity-details.ts";
import { ACTIONS, activityWords } from "../../lib/activity-words.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";

type Entry = Output<"list_activity">["items"][number];

/** One line of the log: a sentence, where, when; the rest on demand. */
export function ActivityRow({ entry }: { entry: Entry }) {
  const { websites } = useWorkspaceContext().workspace;
  const website = websites.find(({ id }) => id === entry.websiteId);
  return (
    <li className="px-4 py-3 sm:px-5">
      <details className="group">
        <summary className="flex list-none items-start gap-3 rounded-md [&::-webkit-details-marker]:hidden">
          <ActorMark entry={entry} />
          <span className="min-w-0 flex-1 text-sm">
            <span className="block break-words">
              {activityWords(entry).map((part, position) => (
                // The parts of one entry never change places.
                // oxlint-disable-next-line react/no-array-index-key
                <span key={position} className={part.kind === "words" ? "text-muted" : "font-medium"}>
                  {part.text}
                </span>
              ))}
            </span>
            <span className="block text-[0.8125rem] text-muted">
              <TimeAgo at={entry.at} />
              {website && ` · ${website.name}`}
            </span>
          </span>
          <span className="shrink-0 pt-0.5 text-xs text-muted group-hover:underline">Details</span>
        </summary>
        <dl className="mt-3 ml-10 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-control bg-sunken px-3.5 py-3 text-[0.8125rem]">
          <Line name="When">{formatDateTime(entry.at)}</Line>
          <Line name="Action">
            {ACTIONS[entry.action]?.label} <code className="text-muted">{entry.action}</code>
          </Line>
          {entry.target && (
            <Line name="Item">
              {entry.target.label} <code className="break-all text-muted">{entry.target.id}</code>{" "}
              {website && entry.target.id.startsWith("post_") && entry.action !== "purge_post" && (
                <Link
                  to="/s/$websiteId/posts/$postId"
                  params={{ websiteId: website.id, postId: entry.target.id }}
                  className="font-medium underline"
                >
                  Open post
                </Link>
              )}
            </Line>
          )}
          <Line name="By">
            {entry.actor.type === "system" ? `Stet (${entry.actor.id})` : (entry.actorName ?? "a deleted account")}
            {entry.actor.type === "tool" && ", through a connected app"}
          </Line>
          {activityDetails(entry.details, entry.target?.label).map(({ name, value }) => (
            <Line key={name} name={name}>
              {value}
            </Line>
          ))}
        </dl>
      </details>
    </li>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function ActorMark({ entry }: { entry: Entry }) {
  if (entry.actor.type === "user") return <Avatar name={entry.actorName ?? "?"} />;
  const Icon = entry.actor.type === "tool" ? Bot : Cog;
  return (
    <span className="grid size-7 shrink-0 place-items-center rounded-full bg-hover text-muted">
      <Icon aria-hidden className="size-4" />
    </span>
  );
}
