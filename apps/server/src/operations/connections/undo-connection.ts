import type { ErrorCode } from "@stet/contract";
import { Failure, fail } from "#domain/failure";
import type { PostId } from "#domain/ids";
import type { ChangedThing } from "#ports/connections";
import { execute } from "../kernel/execute.ts";
import { type InWebsite, workspaceOperation } from "../kernel/operation.ts";
import { type ConnectionView, connectionView, findConnection } from "./helpers/connection-view.ts";
import type { UndoRequest } from "./undo/plan-undo-of-post.ts";
import { walkChanges } from "./undo/walk-changes.ts";
import { isOutage, leftItem, type LeftBecause, pageShape, undoShape, type UndoItem, type UndoPage } from "./undo/undo-item.ts";
import { undoPost } from "./undo-post.ts";
import { undoThing } from "./undo-thing.ts";

/** A step stays well below the time that a browser waits; the caller goes on with `next`. Asked again, it does only the rest. */
const STEP = 20;

export interface UndoBatch extends UndoPage {
  readonly connection: ConnectionView;
}

export const undoConnection = workspaceOperation({
  name: "undo_connection",
  summary: "Undo everything a connected app changed between two times, some posts per call.",
  permission: "connection.own",
  input: { ...undoShape, ...pageShape },
  async run(context, input): Promise<UndoBatch> {
    const connection = await findConnection(context, input.connectionId);
    if (input.until > context.now)
      throw fail("VALIDATION_FAILED", "until: must not be in the future. Request a preview and send its time.");
    const request = { connectionId: connection.id, since: input.since, until: input.until };
    const post = (website: InWebsite, id: PostId) => setPostBack(website, id, request);
    const thing = (website: InWebsite, changed: ChangedThing) => setThingBack(website, changed, request);
    const { phase, cursor } = input;
    const page = await walkChanges(context, request, { phase, cursor, limit: STEP, post, thing });
    return { ...page, connection: await connectionView(context, connection) };
  },
  // Each step is an operation, which says for itself what it changes.
  changes: "nothing",
  activity: ({ by }, input, { connection, items, next }) => ({
    target: { id: connection.id, label: connection.client.name },
    details: {
      since: input.since,
      setBack: items.filter((item) => item.steps.length > 0).length,
      left: items.filter((item) => item.left).length,
      isLastStep: next === null,
    },
    foldKey: `undo_connection:${connection.id}:${input.since}:${input.until}:${by.id}`,
  }),
});

const BECAUSE: Partial<Record<ErrorCode, LeftBecause>> = {
  VERSION_CONFLICT: "changed by others",
  INSUFFICIENT_ROLE: "not allowed",
  NOT_FOUND: "not allowed",
};

async function setPostBack({ services, actor, website, content }: InWebsite, id: PostId, request: UndoRequest): Promise<UndoItem | null> {
  const post = await content.posts.get(website.id, id);
  if (!post) return leftItem({ websiteId: website.id, id, label: "" }, "gone");
  try {
    const input = { ...request, websiteId: website.id, postId: id, expectedVersion: post.version };
    const item = await execute(services, undoPost, actor, input);
    return item.steps.length === 0 && !item.left ? null : item;
  } catch (error) {
    // One that cannot be set back must not keep the others from it.
    if (!(error instanceof Failure) || isOutage(error)) throw error;
    const label = error.code === "NOT_FOUND" ? "" : post.working.title;
    return leftItem({ websiteId: website.id, id, label }, BECAUSE[error.code] ?? "failed", { message: error.message });
  }
}

async function setThingBack({ services, actor }: InWebsite, thing: ChangedThing, request: UndoRequest): Promise<UndoItem | null> {
  try {
    const input = { ...request, websiteId: thing.websiteId, thingId: thing.id, label: thing.label };
    const item = await execute(services, undoThing, actor, input);
    return item.steps.length === 0 && !item.left ? null : item;
  } catch (error) {
    if (!(error instanceof Failure) || isOutage(error)) throw error;
    return leftItem(thing, BECAUSE[error.code] ?? "failed", { message: error.message });
  }
}
