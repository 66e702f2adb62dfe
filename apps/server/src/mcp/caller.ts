import type { AuthInfo } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { toolActor } from "#domain/actor";
import type { Connection } from "#domain/connection";
import type { TransportServices } from "#operations/kernel/transport-services";
import type { ToolCallLog } from "#operations/connections/helpers/tool-call-log";
import type { Caller } from "./tool-run.ts";

const MOST_WEBSITES = 10_000;

/** The facts of a request once its token was found good. */
interface Admitted {
  readonly connection: Connection;
  readonly requestId: string;
}

export type Callers = (authInfo: AuthInfo | undefined) => Caller;

/** The caller, made for each request from the connection as it is at that moment. */
export function createCallers(services: TransportServices, toolCallLog: ToolCallLog): Callers {
  const workspaceOfWebsite: Caller["workspaceOfWebsite"] = new LRUCache({ max: MOST_WEBSITES });
  return (authInfo) => {
    if (!authInfo) throw new Error("A request without a connection came past the door.");
    const { connection, requestId } = authInfo.extra as unknown as Admitted;
    const { id, workspaces, allowDelete, publishPerHour } = connection;
    return {
      services,
      connection,
      requestId,
      workspaceOfWebsite,
      actor: toolActor(connection.userId, { id, workspaces, allowDelete, publishPerHour }),
      publishesLeft: () => toolCallLog.publishesLeft(connection),
    };
  };
}
