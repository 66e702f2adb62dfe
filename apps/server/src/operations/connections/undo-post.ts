import { setBack } from "#domain/undo";
import { expectedVersion } from "../kernel/inputs.ts";
import { type OnPost, postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "../posts/helpers/store-post.ts";
import { aboutPost, viewOf } from "../posts/helpers/view.ts";
import { findConnection } from "./helpers/connection-view.ts";
import { judgePost, type Judgement } from "./undo/judge-post.ts";
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
    const judgement = await judgePost(context, context.post, input);
    const item = itemOf(context.post, judgement);
    if (judgement.verdict === "set back") await store(context, judgement, { undoes: input.connectionId, answer: item });
    return item;
  },
  changes: "content",
  activity: ({ post }, _, item) => (item.steps.length > 0 ? aboutPost(viewOf(post), { steps: [...item.steps] }) : null),
});

async function store(context: OnPost, judgement: Extract<Judgement, { verdict: "set back" }>, storing: Parameters<typeof storePost>[2]) {
  const { post, by, now, services } = context;
  const { before, way, working } = judgement;
  const live = judgement.live && { content: judgement.live, rendering: await services.render(judgement.live.body) };
  // The reminder first: one too many does no harm, one too few would be a post that never appears.
  if (way.steps.includes("schedule") && before?.scheduledAt) {
    await services.platform.schedules.add(post.websiteId, post.id, before.scheduledAt);
  }
  await storePost(context, setBack(post, before, way, { live, working }, { by, now }), storing);
}

export function itemOf(post: OnPost["post"], judgement: Judgement): UndoItem {
  const about = { websiteId: post.websiteId, id: post.id, label: post.working.title };
  if (judgement.verdict === "leave") return leftItem(about, judgement.because, { by: judgement.by ?? null });
  const done = judgement.verdict === "set back" ? judgement : null;
  return {
    ...about,
    steps: done?.way.steps ?? [],
    left: null,
    missedItsTime: done?.way.missedItsTime ?? false,
    keepsSlug: done?.keepsSlug ?? false,
  };
}
