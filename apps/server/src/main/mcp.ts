import type { Route } from "#http/dispatcher";
import { MCP_PATH } from "#domain/oauth-record";
import { createMcpTransport } from "#http/mcp/mcp";
import { isOutage } from "#http/shared/problem";
import { createCallers } from "#mcp/caller";
import { createPlainAnswers } from "#mcp/plain-call";
import { createProtocol } from "#mcp/protocol";
import { createServerFactory, serverInfoOf } from "#mcp/server";
import { createToolCallLog } from "#operations/connections/helpers/tool-call-log";
import { transportServices } from "#operations/kernel/transport-services";
import type { AccessTokens } from "#ports/connections";
import type { BucketRule } from "#domain/token-bucket";
import type { Rates } from "#usage/rates/rates";
import manifest from "../../package.json" with { type: "json" };
import type { Installation } from "./compose.ts";

/** The MCP server, put together: the door on HTTP, the protocol behind it, the tools behind that. */
export function openMcp({
  config,
  services,
  log,
  tokens,
  connectionRate,
  rates,
}: Pick<Installation, "services" | "log"> & {
  config: Pick<Installation["config"], "publicUrl" | "trustedProxies">;
  tokens: AccessTokens;
  connectionRate?: BucketRule;
  rates?: Rates;
}): { readonly routes: readonly Route[]; close(): Promise<void> } {
  const toolCallLog = createToolCallLog(services, isOutage);
  const options = {
    toolCallLog,
    callers: createCallers(transportServices(services), toolCallLog),
    serverInfo: serverInfoOf(manifest.version),
    isOutage,
    onFault: (error: unknown, requestId: string, what: string) =>
      log.error({ requestId, what, err: error }, "A call of a connected tool failed unexpectedly"),
  };
  const protocol = createProtocol(createServerFactory(options), (error) =>
    log.debug({ err: error }, "A message of an MCP client was refused"),
  );
  const transport = createMcpTransport({
    publicUrl: config.publicUrl,
    tokens,
    answerPlainly: createPlainAnswers(options),
    serve: (request, given) => protocol.fetch(request, given),
    clock: services.clock,
    bodies: services.lines.bodies,
    trustedProxies: config.trustedProxies,
    ...(connectionRate && { connectionRate }),
    ...(rates && { rates }),
  });
  return {
    routes: [{ path: MCP_PATH, handle: transport }],
    async close() {
      await protocol.close();
      await toolCallLog.close();
    },
  };
}
