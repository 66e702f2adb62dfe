import { decodeCursor, encodeCursor } from "#domain/cursor";
import { Failure } from "#domain/failure";
import type { PostId } from "#domain/ids";
import type { Website } from "#domain/website";
import type { ChangedThing } from "#ports/connections";
import type { InWebsite, InWorkspace } from "../../kernel/operation.ts";
import type { UndoRequest } from "./plan-undo-of-post.ts";
import { isOutage, leftItem, type UndoItem, type UndoPage } from "./undo-item.ts";

const POSTS = "-at";
const THINGS = "thing";

interface Walk {
  readonly phase: "posts" | "things";
  readonly cursor?: string | undefined;
  readonly limit: number;
  post(context: InWebsite, id: PostId): Promise<UndoItem | null>;
  thing(context: InWebsite, thing: ChangedThing): Promise<UndoItem | null>;
}

/** One step over what a connection changed, the same for the preview and for the undo, so that both tell of the same things. */
export async function walkChanges(context: InWorkspace, request: UndoRequest, step: Walk): Promise<UndoPage> {
  const websites = await context.services.platform.websites.list(context.workspace.id);
  const websiteById = new Map(websites.map((website) => [website.id, website]));
  return step.phase === "posts" ? walkPosts(context, request, step, websiteById) : walkThings(context, request, step, websiteById);
}

type WebsiteById = ReadonlyMap<Website["id"], Website>;

/** The same workspace and role: what is asked there is asked of the policy again. */
async function within(
  context: InWorkspace,
  website: Website,
  of: Pick<UndoItem, "id" | "label">,
  work: (context: InWebsite) => Promise<UndoItem | null>,
): Promise<UndoItem | null> {
  try {
    return await context.services.contents.withContent(website, (content) => work({ ...context, website, content }));
  } catch (error) {
    // A customer's database can be away for days. The other websites do not wait for it; asked again, this does the rest.
    if (website.home.kind === "managed" || !(error instanceof Failure) || !isOutage(error)) throw error;
    return leftItem({ ...of, websiteId: website.id }, "failed", { message: error.message });
  }
}

async function walkPosts(context: InWorkspace, request: UndoRequest, step: Walk, websiteById: WebsiteById): Promise<UndoPage> {
  const { connectionId, since, until } = request;
  const after = step.cursor ? decodeCursor(step.cursor, POSTS) : null;
  const page = await context.services.connections.saves.listPosts([...websiteById.keys()], connectionId, {
    since,
    until,
    after,
    limit: step.limit,
  });
  const items: UndoItem[] = [];
  for (const { websiteId, postId } of page.rows) {
    const item = await within(context, websiteById.get(websiteId)!, { id: postId, label: "" }, (there) => step.post(there, postId));
    if (item) items.push(item);
  }
  return { items, next: page.next ? { phase: "posts", cursor: encodeCursor(POSTS, page.next) } : { phase: "things", cursor: null } };
}

async function walkThings(context: InWorkspace, request: UndoRequest, step: Walk, websiteById: WebsiteById): Promise<UndoPage> {
  const { services, workspace } = context;
  const { connectionId, since, until } = request;
  const position = step.cursor ? decodeCursor(step.cursor, THINGS) : null;
  const after = position && { websiteId: position.key, id: position.id };
  const things = await services.connections.listThings(workspace.id, connectionId, { since, until, after, limit: step.limit });
  const items: UndoItem[] = [];
  for (const thing of things) {
    const website = websiteById.get(thing.websiteId);
    const item = website && (await within(context, website, thing, (there) => step.thing(there, thing)));
    if (item) items.push(item);
  }
  const last = things.length < step.limit ? undefined : things.at(-1);
  return { items, next: last ? { phase: "things", cursor: encodeCursor(THINGS, { key: last.websiteId, id: last.id }) } : null };
}
