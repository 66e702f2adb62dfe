import { reachOf, isWithinReach } from "#domain/access";
import type { PostId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { moment } from "../kernel/inputs.ts";
import { type InWebsite, workspaceOperation } from "../kernel/operation.ts";
import { connectionId, findConnection } from "./helpers/connection-view.ts";
import { planUndoOfPost, type UndoRequest } from "./undo/plan-undo-of-post.ts";
import { walkChanges } from "./undo/walk-changes.ts";
import { leftItem, pageShape, type UndoItem, type UndoPage } from "./undo/undo-item.ts";
import { itemOf } from "./undo-post.ts";
import { planUndoOfThing } from "./undo/plan-undo-of-thing.ts";
import { itemOfThing } from "./undo-thing.ts";

const PAGE = 50;

export interface UndoPreview extends UndoPage {
  /** The moment it speaks of: undo is given it back, and touches nothing that the connection changes later. */
  readonly until: Timestamp;
}

export const previewUndo = workspaceOperation({
  name: "preview_undo",
  summary: "Preview undoing everything a connected app changed since a given time.",
  permission: "connection.own",
  input: { connectionId, since: moment, until: moment.optional(), ...pageShape },
  async run(context, input): Promise<UndoPreview> {
    const connection = await findConnection(context, input.connectionId);
    const until = input.until ?? context.now;
    const request = { connectionId: connection.id, since: input.since, until };
    const { phase, cursor } = input;
    const post = (website: InWebsite, id: PostId) => previewPost(website, id, request);
    const page = await walkChanges(context, request, {
      phase,
      cursor,
      limit: PAGE,
      post,
      thing: async (website, thing) => {
        const plan = await planUndoOfThing(website, thing.id, request, request);
        return plan.verdict === "nothing to do" ? null : itemOfThing(thing, plan);
      },
    });
    return { ...page, until };
  },
  activity: "none",
});

async function previewPost(context: InWebsite, id: PostId, request: UndoRequest): Promise<UndoItem | null> {
  const { actor, workspace, role, website } = context;
  const post = await context.content.posts.get(website.id, id);
  if (!post) return leftItem({ websiteId: website.id, id, label: "" }, "gone");
  const reading = reachOf(actor, "post.read", { workspaceId: workspace.id, role });
  const isSeen = isWithinReach(reading, actor, { ownerId: post.ownerId, published: post.status === "published" });
  if (!isSeen) return leftItem({ websiteId: website.id, id, label: "" }, "not allowed");
  const plan = await planUndoOfPost(context, post, request);
  return plan.verdict === "nothing to do" ? null : itemOf(post, plan);
}
