import { isWithinReach } from "#domain/access";
import { diskWords } from "#domain/disk-space";
import { Failure } from "#domain/failure";
import { planWords } from "#domain/plan-words";
import { MINUTE, millis, timestamp } from "#domain/time";
import { hasPermission } from "../../kernel/has-permission.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { measureUsage, monthOf } from "../../plan/helpers/measure-usage.ts";

const THRESHOLDS = [100, 90, 75] as const;
const SCHEDULES_SHOWN = 5;
/** A schedule is tried again within moments; only one that is still late then is worth a word. */
const LATE_MILLIS = MINUTE;

/** Something that needs a person. */
export interface Alert {
  readonly kind:
    | "disk-space"
    | "webhook-off"
    | "webhook-failing"
    | "quota-requests"
    | "quota-storage"
    | "content-store"
    | "image-store"
    | "schedule-failed";
  readonly severity: "warning" | "critical";
  /** The event in a sentence. */
  readonly message: string;
  /** The next step for the reader. */
  readonly next: string;
  /** Where to do it; null where it is not done in the dashboard. */
  readonly link: { readonly kind: "webhook" | "plan" | "website" | "images" | "post"; readonly id: string } | null;
}

export async function alertsOf(context: InWebsite): Promise<readonly Alert[]> {
  const groups = await Promise.all([
    disk(context),
    ownDatabase(context),
    ownImages(context),
    schedules(context),
    webhooks(context),
    quotas(context),
  ]);
  const order = { critical: 0, warning: 1 };
  return groups.flat().toSorted((left, right) => order[left.severity] - order[right.severity]);
}

export const storeTrouble = ({ website }: InWebsite): Alert => ({
  kind: "content-store",
  severity: "critical",
  message: "The content database of this website is not responding. Nothing was lost.",
  next: "Published posts are still served from cache where possible. Check the database now.",
  link: { kind: "website", id: website.id },
});

async function disk(context: InWebsite): Promise<readonly Alert[]> {
  if (!hasPermission(context, "workspace.manage")) return [];
  const space = context.services.disk;
  const reading = await space.read();
  if (reading.level === "ok") return [];
  return [
    {
      kind: "disk-space",
      severity: reading.level === "low" ? "warning" : "critical",
      ...diskWords(reading, space.hasDatabase),
      link: null,
    },
  ];
}

/** The database of the website's owner, by what it said the last time to any node. */
async function ownDatabase(context: InWebsite): Promise<readonly Alert[]> {
  const { services, website } = context;
  if (website.home.kind === "managed" || !hasPermission(context, "store.manage")) return [];
  const database = await services.platform.ownDatabases.get(website.id);
  const isUnreadable = database?.connection === "";
  if (!database || (!database.isAway && !isUnreadable)) return [];
  const message = isUnreadable
    ? "The address of your content database cannot be read any more. Posts cannot be read or saved."
    : "Your content database did not answer. Posts cannot be saved until it answers again. Nothing was lost.";
  const next = isUnreadable ? "Enter the address again." : `${database.shown}: ${database.error ?? ""} Stet keeps trying.`;
  return [{ kind: "content-store", severity: "critical", message, next, link: { kind: "website", id: website.id } }];
}

/** The store of the website's owner, by what it said the last time. */
async function ownImages(context: InWebsite): Promise<readonly Alert[]> {
  if (!hasPermission(context, "store.manage")) return [];
  const { services, website } = context;
  const store = await services.platform.ownImageStores.get(website.id);
  if (!store || (store.error === null && store.address !== "")) return [];
  const link = { kind: "images", id: website.id } as const;
  const isUnreadable = store.address === "";
  const message = isUnreadable
    ? "The key of your image storage cannot be read any more. Images in it cannot be shown."
    : "Your image storage did not answer. Images in it cannot be shown until it answers again.";
  const next = isUnreadable ? "Enter the key again." : `${store.place}: ${store.error} Stet keeps trying.`;
  return [{ kind: "image-store", severity: "critical", message, next, link }];
}

async function webhooks(context: InWebsite): Promise<readonly Alert[]> {
  if (!hasPermission(context, "webhook.manage")) return [];
  const endpoints = await context.services.webhooks.list(context.website.id);
  return endpoints.flatMap(({ id, url, status, failures, offReason, missed }): Alert[] => {
    const link = { kind: "webhook", id } as const;
    const { host } = new URL(url);
    if (status === "failing") {
      const message = `The webhook to ${host} is failing: ${failures} ${failures === 1 ? "attempt" : "attempts"} in a row. Deliveries wait in order.`;
      const next = "Check the last response, fix the receiver and send a test.";
      return [{ kind: "webhook-failing", severity: "warning", message, next, link }];
    }
    if (status !== "off") return [];
    const why = offReason === "gone" ? "its receiver answered 410 Gone" : "too many attempts failed";
    const message = `The webhook to ${host} was switched off, because ${why}. ${missed} ${missed === 1 ? "delivery was" : "deliveries were"} missed.`;
    const next = "Fix the receiver, then switch the webhook on again and resend what was missed.";
    return [{ kind: "webhook-off", severity: "critical", message, next, link }];
  });
}

async function quotas({ services, workspace, now }: InWebsite): Promise<readonly Alert[]> {
  const limits = services.plans[workspace.plan];
  const { getMore } = planWords(workspace.plan);
  const [requests, stored] = await Promise.all([
    services.platform.usage.requests(workspace.id, monthOf(now)),
    measureUsage(services.platform, workspace.id).then((usage) => usage.storageBytes),
  ]);
  const link = { kind: "plan", id: workspace.id } as const;
  const alerts: Alert[] = [];
  const reached = thresholdOf(requests, limits.requestsPerMonth);
  if (reached !== null) {
    const next =
      reached === 100 && limits.servedPercent === 100
        ? `API requests are refused until the 1st (UTC). To continue before then, ${getMore}.`
        : `To avoid refused requests, ${getMore}. The count resets on the 1st (UTC).`;
    alerts.push({
      kind: "quota-requests",
      severity: severityOf(reached),
      message: `${reached} % of this month's requests are used.`,
      next,
      link,
    });
  }
  const full = thresholdOf(stored, limits.storageBytes);
  if (full !== null) {
    const next = `Delete unused images, empty the trash, or ${getMore}.`;
    alerts.push({ kind: "quota-storage", severity: severityOf(full), message: `${full} % of the image storage is used.`, next, link });
  }
  return alerts;
}

const severityOf = (percent: number): Alert["severity"] => (percent === 100 ? "critical" : "warning");

function thresholdOf(used: number, allowed: number | null): (typeof THRESHOLDS)[number] | null {
  if (allowed === null || allowed === 0) return null;
  return THRESHOLDS.find((percent) => used * 100 >= percent * allowed) ?? null;
}

function unlessUnavailable(error: unknown): null {
  if (error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE") return null;
  throw error;
}

async function schedules(context: InWebsite): Promise<readonly Alert[]> {
  const { services, content, website, now, reach, actor } = context;
  const late = timestamp(millis(now) - LATE_MILLIS);
  const entries = await services.platform.schedules.listFailing(website.id, late, SCHEDULES_SHOWN);
  const posts = await Promise.all(entries.map(({ postId }) => content.posts.get(website.id, postId).catch(unlessUnavailable)));
  return posts.flatMap((post, index): Alert[] => {
    // The post decides: it may have been moved or published by hand since.
    if (post?.status !== "scheduled" || post.scheduledAt !== entries[index]!.at) return [];
    if (!isWithinReach(reach, actor, { ownerId: post.ownerId, published: false })) return [];
    const message = `"${post.working.title || "Untitled"}" was due at ${post.scheduledAt} and could not be published. Stet keeps trying.`;
    const next = "Open the post to see what is missing. Publish it now, or choose another time.";
    return [{ kind: "schedule-failed", severity: "critical", message, next, link: { kind: "post", id: post.id } }];
  });
}
