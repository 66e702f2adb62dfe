import { type McpRequestContext, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Connection } from "#domain/connection";
import { toolActor } from "#domain/actor";
import type { Services } from "#operations/kernel/services";
import { failureOf, wordsOf } from "./answers.ts";
import { callTool, type CallingOptions } from "./call-tool.ts";
import { getPrompt, PROMPTS } from "./prompts.ts";
import { listResources, readResource, TEMPLATES } from "./resources.ts";
import type { Caller } from "./tool-run.ts";
import { toolNamed, toolsFor } from "./tools.ts";

const INSTRUCTIONS =
  "Stet is a content service for blogs. Begin with get_context: it names the websites you reach and the style guide to follow. Texts are Markdown. " +
  "create_post makes a draft; edits change the working copy; readers see nothing until publish_post, which you call only when asked to. " +
  "Every change needs the version you read last; on VERSION_CONFLICT read again and decide what to keep. Errors say what to do next.";

export interface McpOptions extends CallingOptions {
  readonly services: Services;
  /** Of this service. */
  readonly version: string;
}

/** What the transport knows of a request once its token was found good. */
export interface Admitted {
  readonly connection: Connection;
  readonly requestId: string;
}

/**
 * A server for one request: nothing is kept between two of them, so that each is judged by the grant and the role of its
 * moment. The low-level class, because the tools are described once and not on every request.
 */
export function createServerFactory(options: McpOptions): (context: McpRequestContext) => Server {
  const places: Caller["places"] = new Map();
  return ({ authInfo }) => {
    if (!authInfo) throw new Error("A request without a connection came past the door.");
    const { connection, requestId } = authInfo.extra as unknown as Admitted;
    const caller = callerOf(options, places, connection, requestId);
    const server = new Server(
      { name: "stet", title: "Stet", version: options.version },
      { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
    );

    server.setRequestHandler("tools/list", () => ({ tools: [...toolsFor(connection)] }));
    server.setRequestHandler("tools/call", ({ params }) => {
      const tool = toolNamed(params.name);
      if (!tool)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool ${params.name.slice(0, 64)}. List them with tools/list.`,
        );
      return callTool(tool, params.arguments, caller, options);
    });
    server.setRequestHandler("resources/list", ({ params }) => guarded("resources/list", () => listResources(caller, params?.cursor)));
    server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...TEMPLATES] }));
    server.setRequestHandler("resources/read", ({ params }) => guarded("resources/read", () => readResource(caller, params.uri)));
    server.setRequestHandler("prompts/list", () => ({ prompts: PROMPTS }));
    server.setRequestHandler("prompts/get", ({ params }) =>
      guarded("prompts/get", () => getPrompt(caller, params.name, params.arguments ?? {})),
    );
    return server;

    /** Resources and prompts have no results that are errors: a refusal is one of the protocol, in the same words. */
    async function guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
      options.ledger.used(connection);
      try {
        return await work();
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const failure = failureOf(error, requestId, options.isOutage);
        if (failure.code === "INTERNAL") options.onFault(error, requestId, what);
        throw new ProtocolError(
          failure.code === "INTERNAL" || failure.code === "UNAVAILABLE" ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
          wordsOf(failure),
        );
      }
    }
  };
}

function callerOf({ services, ledger }: McpOptions, places: Caller["places"], connection: Connection, requestId: string): Caller {
  const { id, workspaces, allowDelete } = connection;
  return {
    services,
    connection,
    requestId,
    places,
    actor: toolActor(connection.userId, { id, workspaces, allowDelete }),
    publishesLeft: () => ledger.publishesLeft(connection),
  };
}
