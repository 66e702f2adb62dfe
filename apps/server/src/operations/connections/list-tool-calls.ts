import { z } from "zod";
import type { ToolCall } from "#domain/connection";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { moment } from "../kernel/inputs.ts";
import { workspaceOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { connectionId, findConnection } from "./connection-view.ts";

const SORT = "-at";

/** The versions before and after lead to what changed: a revision knows its version. */
export const listToolCalls = workspaceOperation({
  name: "list_tool_calls",
  summary: "List what a connected tool did in a workspace, newest first.",
  permission: "connection.own",
  input: {
    connectionId,
    /** At this moment or later. */
    since: moment.optional(),
    onlyChanges: z.boolean().default(false),
    ...cursorShape,
    ...limitShape,
  },
  async run(context, input): Promise<ListAnswer<ToolCall>> {
    const connection = await findConnection(context, input.connectionId);
    const page = await context.services.connections.listCalls(context.workspace.id, {
      connectionId: connection.id,
      onlyChanges: input.onlyChanges,
      after: input.cursor ? decodeCursor(input.cursor, SORT) : null,
      limit: input.limit,
      ...(input.since && { since: input.since }),
    });
    return { items: page.rows, nextCursor: page.next && encodeCursor(SORT, page.next) };
  },
  activity: "none",
});
