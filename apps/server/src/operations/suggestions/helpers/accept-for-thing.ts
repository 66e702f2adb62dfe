import { isId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Suggestion } from "#domain/suggestion";
import { execute } from "../../kernel/execute.ts";
import type { InWebsite, Operation } from "../../kernel/operation.ts";
import { deleteMedia } from "../../media/delete-media.ts";
import { editMedia } from "../../media/edit-media.ts";
import { deleteTerm } from "../../terms/delete-term.ts";
import { editTerm } from "../../terms/edit-term.ts";
import type { CurrentTarget } from "./compare.ts";

/** A term or an image: its fields change, or it goes. */
export async function acceptForThing(
  { services, actor, website }: InWebsite,
  { targetId, action }: Suggestion,
  current: CurrentTarget,
  patch: JsonObject,
): Promise<void> {
  const run = (operation: Operation<"website", never, unknown>, input: object) =>
    execute(services, operation, actor, { websiteId: website.id, expectedVersion: current.version, ...input });
  const [edit, remove, target] = isId("media", targetId)
    ? ([editMedia, deleteMedia, { mediaId: targetId }] as const)
    : ([editTerm, deleteTerm, { termId: targetId }] as const);
  if (action?.type === "delete") await run(remove as never, { ...target, evenIfUsed: true });
  else if (Object.keys(patch).length > 0) await run(edit as never, { ...target, ...patch });
}
