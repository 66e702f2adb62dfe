import { changeConnection } from "./change-connection.ts";
import { connectTool } from "./connect-tool.ts";
import { createCiCredential } from "./create-ci-credential.ts";
import { disconnect } from "./disconnect.ts";
import { disconnectLeft } from "./disconnect-left.ts";
import { listConnections } from "./list-connections.ts";
import { listLeftConnections } from "./list-left-connections.ts";
import { listToolCalls } from "./list-tool-calls.ts";
import { previewUndo } from "./preview-undo.ts";
import { undoConnection } from "./undo-connection.ts";
import { undoPost } from "./undo-post.ts";
import { undoThing } from "./undo-thing.ts";

export const operations = {
  connect_tool: connectTool,
  create_ci_credential: createCiCredential,
  list_connections: listConnections,
  change_connection: changeConnection,
  disconnect,
  list_left_connections: listLeftConnections,
  disconnect_left: disconnectLeft,
  list_tool_calls: listToolCalls,
  preview_undo: previewUndo,
  undo_connection: undoConnection,
  undo_post: undoPost,
  undo_thing: undoThing,
} as const;
