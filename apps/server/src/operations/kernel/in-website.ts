import { type MemberRole, reachOf } from "#domain/access";
import type { UserId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import type { InWebsite, InWorkspace } from "./operation.ts";
import { ownAndPublished } from "./own-and-published.ts";

/** A website that a call is about, before its store is lent. */
export type AtWebsite = Omit<InWebsite, "content">;

export const memberOf = ({ workspace, role }: Pick<InWorkspace, "workspace" | "role">): MemberRole => ({ workspaceId: workspace.id, role });

/** Somebody who may read their own posts and what is published; null for one who reads everything. */
export const narrowReader = (context: AtWebsite): UserId | null =>
  context.actor.type === "system" || reachOf(context.actor, "post.read", memberOf(context)) === "any" ? null : context.actor.userId;

/** The context with the store as its actor may see it. */
export function inWebsite<Context extends AtWebsite>(context: Context, everything: ContentStore): Context & InWebsite {
  const reader = narrowReader(context);
  return { ...context, content: reader ? ownAndPublished(everything, reader) : everything };
}

/**
 * The same for an answer that is still being made when the operation is over: the store is lent while it is taken, and given back
 * when it ends or is broken off. Nothing is lent before the first part is asked for.
 */
export async function* streamedIn<T>(context: InWebsite, parts: (context: InWebsite) => AsyncIterable<T>): AsyncGenerator<T> {
  const lent = Promise.withResolvers<InWebsite>();
  const taken = Promise.withResolvers<void>();
  const lending = context.services.contents.withContent(context.website, (content) => {
    lent.resolve(inWebsite(context, content));
    return taken.promise;
  });
  lending.catch(lent.reject);
  try {
    yield* parts(await lent.promise);
  } finally {
    taken.resolve();
    await lending.catch(() => {});
  }
}
