import { systemActor } from "#domain/actor";
import { isContentPaused } from "#domain/content-home";
import { Failure } from "#domain/failure";
import { newId } from "#domain/ids";
import { noLongerThan } from "#domain/no-longer-than";
import { HOUR, MINUTE, SECOND, timestamp } from "#domain/time";
import { eachOf } from "#operations/kernel/each-of";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { publishPost } from "#operations/posts/publish-post";
import type { ScheduleEntry } from "#ports/platform";

const SCHEDULER = systemActor("scheduler");
/** Long enough for the slowest publication; a node that dies gives its entries up after this. */
const LEASE_SECONDS = 30;
const BATCH = 50;
/** Websites whose posts are published at once, and how long the next round waits for one of them. */
const AT_ONCE = 8;
const PATIENCE_MILLIS = 5 * SECOND;
/** How soon a content database that does not answer is asked again. */
const OUTAGE_MILLIS = 30 * SECOND;
/**
 * An entry is written before its post is saved, so it can be due before the post says "scheduled". Such an entry is postponed by ten seconds at a time,
 * and removed once it was postponed so often, for whatever reason.
 */
const MOST_POSTPONED = 6;

/** Publishes what is due now. Answers how many entries it looked at, so that a full batch is followed by another at once. */
export async function publishDue(services: Services, patienceMillis = PATIENCE_MILLIS, stopping?: AbortSignal): Promise<number> {
  const entries = await services.platform.schedules.claimDue(timestamp(services.clock()), LEASE_SECONDS, BATCH);
  // Side by side: a website whose database does not answer keeps no other waiting, and the next round begins without it.
  const websites = [...Map.groupBy(entries, (entry) => entry.websiteId).values()];
  await eachOf(websites, AT_ONCE, (ofOne) => noLongerThan(patienceMillis, handleAll(services, ofOne), stopping), stopping);
  return entries.length;
}

async function handleAll(services: Services, entries: readonly ScheduleEntry[]): Promise<void> {
  try {
    for (const entry of entries) await handle(services, entry);
  } catch (error) {
    // The lease runs out by itself.
    services.onTrouble("A schedule could not be written down; it is looked at again", error);
  }
}

async function handle(services: Services, entry: ScheduleEntry): Promise<void> {
  const { schedules } = services.platform;
  try {
    const outcome = await publishIfDue(services, entry);
    if (outcome === "look again") await schedules.postpone(entry, timestamp(services.clock().getTime() + 10 * SECOND));
    else await schedules.remove(entry.websiteId, entry.postId, entry.at);
  } catch (error) {
    // Someone saved between reading and publishing: the next round publishes what they saved.
    if (error instanceof Failure && error.code === "VERSION_CONFLICT") return schedules.postpone(entry, timestamp(services.clock()));
    // Passes as soon as there is room, and the owners are told of the disk itself.
    if (error instanceof Failure && error.code === "STORAGE_FULL")
      return schedules.postpone(entry, timestamp(services.clock().getTime() + 10 * SECOND));
    if (isContentPaused(error)) return schedules.postpone(entry, timestamp(services.clock().getTime() + 2 * SECOND));
    await reportFailure(services, entry, error);
    // It is published within a minute after the database is back.
    if (error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE")
      return schedules.postpone(entry, timestamp(services.clock().getTime() + OUTAGE_MILLIS));
    const wait = Math.min(HOUR, MINUTE * 2 ** Math.min(entry.failures, 6));
    await schedules.postpone(entry, timestamp(services.clock().getTime() + wait));
  }
}

async function publishIfDue(services: Services, entry: ScheduleEntry): Promise<"done" | "look again"> {
  const website = await services.platform.websites.get(entry.websiteId);
  if (!website) return "done";
  const post = await services.contents.withContent(website, (content) => content.posts.get(entry.websiteId, entry.postId));
  // The post decides, not the reminder: it may have been moved, published by hand, or deleted.
  if (post?.status !== "scheduled" || post.scheduledAt !== entry.at) return entry.failures < MOST_POSTPONED ? "look again" : "done";
  await execute(services, publishPost, SCHEDULER, { websiteId: entry.websiteId, postId: entry.postId, expectedVersion: post.version });
  return "done";
}

/** A schedule that does not fire must not be silent: the workspace's activity log says what and why. */
async function reportFailure(services: Services, entry: ScheduleEntry, error: unknown): Promise<void> {
  services.onTrouble(`The scheduled post ${entry.postId} could not be published`, error);
  const website = await services.platform.websites.get(entry.websiteId);
  if (!website) return;
  const now = services.clock();
  await services.platform.activity.append(
    {
      id: newId("activity", now.getTime()),
      workspaceId: website.workspaceId,
      websiteId: website.id,
      at: timestamp(now),
      actor: { type: "system", id: "scheduler", userId: null },
      action: "schedule_failed",
      target: { id: entry.postId, label: "" },
      details: { at: entry.at, reason: error instanceof Failure ? error.message : "An unexpected error; see the service's log." },
      count: 1,
    },
    `schedule_failed:${entry.postId}:${entry.at}`,
  );
}
