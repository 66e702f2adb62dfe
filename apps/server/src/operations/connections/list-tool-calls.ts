import { z } from "zod";
import type { ToolCall } from "#domain/connection";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { isId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { moment } from "../kernel/inputs.ts";
import { type InWorkspace, workspaceOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { connectionId, findConnection } from "./helpers/connection-view.ts";

const SORT = "-at";

export interface ToolCallLine extends ToolCall {
  /** From when on to undo, so that this call is part of it: a call is written down after what it did. Null: it changed nothing. */
  readonly undoSince: Timestamp | null;
}

/** The versions before and after lead to what changed: a revision knows its version. */
export const listToolCalls = workspaceOperation({
  name: "list_tool_calls",
  summary: "List the calls a connected app made in a workspace, newest first.",
  permission: "connection.own",
  input: {
    connectionId,
    /** At this moment or later. */
    since: moment.optional(),
    onlyChanges: z.boolean().default(false),
    ...cursorShape,
    ...limitShape,
  },
  async run(context, input): Promise<ListAnswer<ToolCallLine>> {
    const connection = await findConnection(context, input.connectionId);
    const page = await context.services.connections.listCalls(context.workspace.id, {
      connectionId: connection.id,
      onlyChanges: input.onlyChanges,
      after: input.cursor ? decodeCursor(input.cursor, SORT) : null,
      limit: input.limit,
      ...(input.since && { since: input.since }),
    });
    const items = await Promise.all(page.rows.map(async (call) => ({ ...call, undoSince: await beginOf(context, call) })));
    return { items, nextCursor: page.next && encodeCursor(SORT, page.next) };
  },
  activity: "none",
});

async function beginOf(
  { services }: InWorkspace,
  { at, target, websiteId, connectionId: id, before, after }: ToolCall,
): Promise<Timestamp | null> {
  if (after === null || !target || !websiteId) return null;
  if (!isId("post", target.id)) return at;
  const saves = await services.connections.saves.listOf(websiteId, target.id);
  const first = saves.find((save) => save.connectionId === id && save.version === (before ?? 0));
  return first && first.at < at ? first.at : at;
}
