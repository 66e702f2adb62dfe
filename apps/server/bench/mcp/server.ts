import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { openMcp } from "#main/mcp";
import { openOauth } from "#main/oauth";

/** Either the service, or the SDK with one empty tool and nothing else: what the service is held against. */
process.once("disconnect", () => process.exit(0));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.send?.(process.argv[2] === "bare" ? await listenBare() : await listenService());

async function listenBare(): Promise<number> {
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "ok" }] }));
    return server;
  });
  const server = createServer(getRequestListener((request) => handler.fetch(request)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function listenService(): Promise<number> {
  const config = readConfig();
  const log = createLog("warn", process.stderr);
  const installation = await openInstallation(config, log, { role: "service", report: () => {} });
  const mcp = openMcp({
    ...installation,
    tokens: openOauth(installation).accessTokens,
    connectionRate: { ratePerSecond: 1e6, burst: 1e6 },
  });
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: config.publicUrl,
    handle: createDispatcher({
      publicUrl: config.publicUrl,
      log,
      checks: [],
      isStopping: () => false,
      routes: mcp.routes,
      fallback: (_request, response) => void response.writeHead(404).end(),
    }),
  });
  return server.port;
}
