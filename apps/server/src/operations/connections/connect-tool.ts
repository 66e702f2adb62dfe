import { z } from "zod";
import { CONNECTION_KINDS } from "#domain/connection";
import { lineOf, nameOf } from "../kernel/inputs.ts";
import { accountOperation, workspaceId } from "../kernel/operation.ts";
import { beginConnection, connectedActivity } from "./helpers/begin-connection.ts";

export const connectTool = accountOperation({
  name: "connect_tool",
  summary: "Let a program act for you, in one workspace or in all of them.",
  permission: "account.write",
  input: {
    kind: z.enum(CONNECTION_KINDS),
    client: z.strictObject({
      id: lineOf(2_048),
      name: nameOf(),
      host: lineOf(255).nullable(),
      redirectHost: lineOf(255).nullable(),
    }),
    workspaces: z.union([z.literal("all"), workspaceId]),
    allowDelete: z.boolean().default(false),
  },
  run: (call, input) => beginConnection(call, input),
  changes: "nothing",
  activity: (_, __, connected) => connectedActivity(connected),
});
