import { z } from "zod";
import { invalid } from "#domain/failure";
import type { Timestamp } from "#domain/time";
import { checkPost } from "#operations/posts/check-post";
import { createPreview } from "#operations/posts/create-preview";
import { getPost as getPostOperation } from "#operations/posts/get-post";
import { publishPost as publishPostOperation } from "#operations/posts/publish-post";
import { schedulePost as schedulePostOperation } from "#operations/posts/schedule-post";
import { unpublishPost as unpublishPostOperation } from "#operations/posts/unpublish-post";
import { updateLivePost } from "#operations/posts/update-live-post";
import { getWebsite } from "#operations/websites/get-website";
import { quoted } from "../content.ts";
import { heldWords } from "../held.ts";
import { wallClock, withOffset } from "../local-time.ts";
import { postStep } from "../post-step.ts";
import { changedPost, expectedVersion, headOf, lineOf, momentOf, post, website } from "../shapes.ts";
import { tool } from "../tool.ts";
import type { ToolRun } from "../tool-run.ts";

export const previewPost = tool({
  name: "preview_post",
  title: "Preview and check a post",
  description:
    "Creates a link that shows the working copy for one hour, and checks the post: what blocks publishing (`stops`) and what could be better (`advice`). Use it before publish_post, and give the link to the person you work for. Anyone with the link can read the draft.",
  kind: "read",
  idempotent: false,
  input: { website, post },
  output: {
    url: z.string(),
    expiresAt: z.string(),
    findings: z.array(z.object({ severity: z.enum(["stops", "advice"]), kind: z.string(), message: z.string(), field: z.string() })),
  },
  async run(call, input) {
    const websiteId = await call.website(input.website);
    const ids = { websiteId, postId: await call.post(websiteId, input.post) };
    const [{ url, expiresAt }, found] = await Promise.all([call.run(createPreview, ids), call.run(checkPost, ids)]);
    const findings = found.map(({ severity, kind, message, where }) => ({ severity, kind, message, field: where.field }));
    const lines = findings.map(({ severity, message }) => `- ${severity}: ${quoted(message)}`);
    return {
      data: { url, expiresAt, findings },
      text: [`Preview until ${expiresAt}: ${url}`, lines.length > 0 ? "Findings:" : "No problems found.", ...lines].join("\n"),
    };
  },
});

export const publishPost = tool({
  name: "publish_post",
  title: "Publish a post",
  description:
    "Publishes the working copy now: a draft, scheduled or unpublished post, or the changes of a published one. Only when the person asked for it. Some websites hold changes by apps: then `outcome` is `suggested` and a person accepts or rejects the suggestion. Counts against the hourly publish limit.",
  kind: "publish",
  idempotent: true,
  input: { website, post, expectedVersion },
  output: { ...changedPost, outcome: z.enum(["published", "updated", "unchanged", "suggested"]) },
  async run(call, input) {
    const websiteId = await call.website(input.website);
    const ids = { websiteId, postId: await call.post(websiteId, input.post) };
    const before = await call.run(getPostOperation, ids);
    const isLive = before.status === "published";
    const done = await call.run(isLive ? updateLivePost : publishPostOperation, { ...ids, expectedVersion: input.expectedVersion });
    call.changed({ id: done.id, label: done.working.title }, input.expectedVersion, done.version);
    const head = headOf(done);
    const held = heldWords(done);
    if (held) return { data: { post: head, outcome: "suggested" as const }, text: `${held} ${lineOf(head)}` };
    const outcome = !isLive ? "published" : done.version === before.version ? "unchanged" : "updated";
    return { data: { post: head, outcome }, text: `${SAID[outcome]} ${lineOf(head)}` };
  },
});

const SAID = {
  published: "Published; readers see it now:",
  updated: "Changes published; readers see them now:",
  unchanged: "No unpublished changes:",
} as const;

export const schedulePost = postStep({
  name: "schedule_post",
  title: "Schedule a post",
  description:
    "Schedules a draft or unpublished post, or reschedules a scheduled one. The latest version is published at that time. get_context shows the website's time zone and its current offset. Counts against the publish limit.",
  kind: "publish",
  idempotent: true,
  operation: schedulePostOperation,
  more: { at: z.string().describe("ISO 8601 with offset, such as 2026-11-15T10:30:00+01:00") },
  given: async (call, { at }) => ({ at: await scheduledMoment(call, at) }),
  said: "Scheduled:",
  // With the weekday: a model that was told "on Monday" sees whether it is one.
  async next(call, { scheduledAt }) {
    const timeZone = await timeZoneOf(call);
    return `In ${timeZone}: ${wallClock(new Date(scheduledAt!), timeZone)}`;
  },
});

const timeZoneOf = async (call: ToolRun): Promise<string> =>
  (await call.run(getWebsite, { websiteId: call.scope!.websiteId })).settings.timeZone;

/** A time without an offset is not guessed at, but the answer says what it would be where the website is. */
async function scheduledMoment(call: ToolRun, at: string): Promise<Timestamp> {
  const timeZone = await timeZoneOf(call);
  const meant = withOffset(at, timeZone);
  if (meant === null) return momentOf("at", at);
  throw invalid([{ field: "at", message: `has no offset; in the website's time zone (${timeZone}) it would be ${meant}` }]);
}

export const unpublishPost = postStep({
  name: "unpublish_post",
  title: "Unpublish a post",
  description:
    "Takes a published post off the website, or makes a scheduled one a draft again. Its text and address are kept; publish_post publishes it again. Only when the person asked for it.",
  kind: "write",
  takesAway: true,
  operation: unpublishPostOperation,
  said: "Unpublished; readers do not see it:",
});
