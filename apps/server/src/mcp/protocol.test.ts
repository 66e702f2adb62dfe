import { type AuthInfo, Server } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createProtocol } from "./protocol.ts";

const authInfo: AuthInfo = { token: "", clientId: "test", scopes: [] };

/** One tool that answers when it is told to. */
function openProtocol() {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const servers: Server[] = [];
  const protocol = createProtocol(
    () => {
      const server = new Server({ name: "test", version: "1.0.0" }, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/call", async () => {
        await finished;
        return { content: [{ type: "text", text: "done" }] };
      });
      servers.push(server);
      return server;
    },
    () => {},
  );
  return { protocol, servers, finish };
}

function callOf(revision: "2025-11-25" | "2026-07-28", signal?: AbortSignal) {
  const modern = revision === "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const parsedBody = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "any", arguments: {}, ...(modern && { _meta }) } };
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "Mcp-Protocol-Version": revision,
      ...(modern && { "Mcp-Method": "tools/call", "Mcp-Name": "any" }),
    },
    ...(signal && { signal }),
  });
  return { request, given: { authInfo, parsedBody } };
}

test.each(["2025-11-25", "2026-07-28"] as const)("a call of revision %s is answered with one JSON message", async (revision) => {
  const { protocol, finish } = openProtocol();
  finish();
  const { request, given } = callOf(revision);
  const answer = await protocol.fetch(request, given);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(await answer.json()).toMatchObject({ id: 7, result: { content: [{ type: "text", text: "done" }] } });
  await protocol.close();
});

test.each(["2025-11-25", "2026-07-28"] as const)("a caller of revision %s that goes away leaves nothing open", async (revision) => {
  const { protocol, servers, finish } = openProtocol();
  const leaving = new AbortController();
  const { request, given } = callOf(revision, leaving.signal);
  const answered = protocol.fetch(request, given);
  await expect.poll(() => servers[0]?.transport).toBeDefined();
  leaving.abort();
  expect((await answered).status).toBe(499);
  expect(servers[0]!.transport).toBeUndefined();
  finish();
  await protocol.close();
});
