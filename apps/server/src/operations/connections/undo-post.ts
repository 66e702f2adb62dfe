import type { GrantId } from "#domain/ids";
import { applyUndo } from "#domain/undo";
import { expectedVersion } from "../kernel/inputs.ts";
import { type OnPost, postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "../posts/helpers/store-post.ts";
import { aboutPost, viewOf } from "../posts/helpers/post-view.ts";
import { findConnection } from "./helpers/connection-view.ts";
import { planUndoOfPost, type PostUndoPlan } from "./undo/plan-undo-of-post.ts";
import { leftItem, undoShape, type UndoItem } from "./undo/undo-item.ts";

/** One save: its revision says who set it back, its event tells receivers as any edit does. */
export const undoPost = postOperation({
  name: "undo_post",
  summary: "Undo what a connected app changed in a post.",
  permission: "post.undo",
  input: { ...undoShape, expectedVersion },
  async run(context, input): Promise<UndoItem> {
    await findConnection(context, input.connectionId);
    requireVersion(context.post, input.expectedVersion);
    const plan = await planUndoOfPost(context, context.post, input);
    const item = itemOf(context.post, plan);
    if (plan.verdict === "set back") await store(context, plan, input.connectionId, item);
    return item;
  },
  changes: "content",
  activity: ({ post }, _, item) => (item.steps.length > 0 ? aboutPost(viewOf(post), { steps: [...item.steps] }) : null),
});

async function store(context: OnPost, plan: Extract<PostUndoPlan, { verdict: "set back" }>, connectionId: GrantId, answer: UndoItem) {
  const { post, by, now, services } = context;
  const { before, undo, working } = plan;
  const live = plan.live && { content: plan.live, rendering: await services.render(plan.live.body) };
  // The reminder first: one too many does no harm, one too few would be a post that never appears.
  if (undo.steps.includes("schedule") && before?.scheduledAt) {
    await services.platform.schedules.add(post.websiteId, post.id, before.scheduledAt);
  }
  const next = applyUndo(post, before, undo, { live, working }, { by, now });
  await storePost(context, next, { undoes: connectionId, answer });
}

export function itemOf(post: OnPost["post"], plan: PostUndoPlan): UndoItem {
  const about = { websiteId: post.websiteId, id: post.id, label: post.working.title };
  if (plan.verdict === "leave") return leftItem(about, plan.because, { by: plan.by ?? null });
  const done = plan.verdict === "set back" ? plan : null;
  return {
    ...about,
    steps: done?.undo.steps ?? [],
    left: null,
    missedItsTime: done?.undo.missedItsTime ?? false,
    keepsSlug: done?.keepsSlug ?? false,
  };
}
