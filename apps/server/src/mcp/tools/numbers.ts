import { z } from "zod";
import { getPostViews } from "#operations/analytics/get-post-views";
import { getViews } from "#operations/analytics/get-views";
import { DELIVERY_STATUSES } from "#domain/webhook";
import { listDeliveries } from "#operations/webhooks/list-deliveries";
import { quoted } from "../content.ts";
import { listText, nextCursor, PAGE, paging, website } from "../shapes.ts";
import { tool } from "../tool.ts";

const MOST_POSTS = 10;
/** Whoever calls the collector says what they like. */
const BROWSERS = "visitors' browsers";

export const getStats = tool({
  name: "get_stats",
  title: "Reader numbers",
  description:
    "Views of the website or of one post in a period (UTC days): the total, the total of the previous period, and by day; for a website also the most read posts and the referrers.",
  kind: "read",
  input: {
    website,
    post: z.string().optional().describe("Post id or slug; leave out for the whole website"),
    period: z.enum(["7d", "30d", "90d"]).optional(),
  },
  output: {
    period: z.string(),
    total: z.int(),
    previousTotal: z.int(),
    days: z.array(z.object({ day: z.string(), views: z.int() })),
    posts: z.array(z.object({ id: z.string(), title: z.string().nullable(), views: z.int() })),
    referrers: z.array(z.object({ referrer: z.string(), views: z.int() })),
    referrersReportedBy: z.string(),
  },
  async run(call, { website: given, post: named, period = "30d" }) {
    const websiteId = await call.website(given);
    if (named !== undefined) {
      const postId = await call.post(websiteId, named);
      const { total, previousTotal, days } = await call.run(getPostViews, { websiteId, postId, period });
      const data = { period, total, previousTotal, days, posts: [], referrers: [], referrersReportedBy: BROWSERS };
      return { data, text: `${total} views in ${period} (${previousTotal} in the previous period).` };
    }
    const views = await call.run(getViews, { websiteId, period });
    const posts = views.posts.slice(0, MOST_POSTS).map((one) => ({ id: one.postId, title: one.title, views: one.views }));
    const referrers = views.referrers.slice(0, MOST_POSTS);
    const lines = [
      `${views.total} views in ${period} (${views.previousTotal} in the previous period).`,
      ...posts.map((one) => `${one.views} × ${one.id} ${one.title === null ? "(no longer published)" : quoted(one.title)}`),
      ...(referrers.length > 0 ? [`Referrers, as reported by ${BROWSERS}:`] : []),
      ...referrers.map((one) => `${one.views} from ${quoted(one.referrer)}`),
    ];
    return {
      data: {
        period,
        total: views.total,
        previousTotal: views.previousTotal,
        days: views.days,
        posts,
        referrers,
        referrersReportedBy: BROWSERS,
      },
      text: lines.join("\n"),
    };
  },
});

export const listWebhookDeliveries = tool({
  name: "list_webhook_deliveries",
  title: "Webhook deliveries",
  description: "Lists deliveries to the website's webhook endpoints, newest first, with the responses. For owners and admins; read only.",
  kind: "read",
  input: { website, status: z.enum(DELIVERY_STATUSES).optional(), ...paging },
  output: {
    deliveries: z.array(
      z.object({
        id: z.string(),
        event: z.string(),
        post: z.string().nullable(),
        status: z.string(),
        attempts: z.int(),
        createdAt: z.string(),
        lastStatus: z.int().nullable(),
        lastError: z.string().nullable(),
      }),
    ),
    nextCursor,
  },
  async run(call, { website: given, limit = PAGE, ...query }) {
    const websiteId = await call.website(given);
    const page = await call.run(listDeliveries, { websiteId, limit, ...query });
    // Not the address and not the answer's text: a receiver may put secrets into either.
    const deliveries = page.items.map((one) => ({
      id: one.id,
      event: one.eventType,
      post: one.postId,
      status: one.status,
      attempts: one.attempts,
      createdAt: one.createdAt,
      lastStatus: one.lastAttempt?.status ?? null,
      lastError: one.lastAttempt?.error ?? null,
    }));
    const lines = deliveries.map((one) => {
      const last = one.lastError === null ? (one.lastStatus === null ? "not tried yet" : `HTTP ${one.lastStatus}`) : quoted(one.lastError);
      return `${one.createdAt} ${one.event} ${one.post ?? ""} ${one.status} after ${one.attempts} attempts: ${last}`;
    });
    return {
      data: { deliveries, nextCursor: page.nextCursor },
      text: listText(lines, page.nextCursor, query.status === undefined ? "Nothing was sent." : "No deliveries found."),
    };
  },
});
