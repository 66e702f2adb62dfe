import type { ActorRef } from "#domain/actor";
import type { RevisionHead } from "#domain/post";
import type { InWebsite } from "../../kernel/operation.ts";
import type { UndoRequest } from "./plan-undo-of-post.ts";

/** The name of the person who changed a post in between, where its history knows it; a change of state leaves no revision. */
export async function findOtherEditor(
  { services }: InWebsite,
  heads: readonly RevisionHead[],
  version: number,
  { connectionId }: Pick<UndoRequest, "connectionId">,
): Promise<string | null> {
  const isOther = ({ id }: ActorRef) => id !== connectionId;
  const author = heads.findLast((head) => head.version >= version && isOther(head.author))?.author;
  if (!author?.userId) return null;
  return (await services.accounts.get(author.userId))?.name ?? null;
}
