import { invalid } from "#domain/failure";
import { schedule } from "#domain/post-life";
import { transition } from "#domain/transitions";
import { expectedVersion, moment } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireReady } from "./helpers/require-ready.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** The post publishes itself at that moment, as its working copy is then. */
export const schedulePost = postOperation({
  name: "schedule_post",
  summary: "Schedule a post, or reschedule it.",
  permission: "post.publish",
  input: { expectedVersion, at: moment },
  async run(context, input): Promise<PostView> {
    const { post, services, by, now } = context;
    requireVersion(post, input.expectedVersion);
    transition(post.status, "schedule");
    if (input.at <= now) throw invalid([{ field: "at", message: "must be in the future; to publish now, publish instead" }]);
    requireReady(context.website, post);
    // The reminder first: one too many does no harm, one too few would be a post that never appears.
    await services.platform.schedules.add(post.websiteId, post.id, input.at);
    return viewOf(await storePost(context, schedule(post, input.at, { by, now })));
  },
  changes: "nothing",
  activity: (_, input, post) => aboutPost(post, { at: input.at }),
});
