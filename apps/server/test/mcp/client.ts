import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { DashboardNode } from "#test/dashboard-node";

/** Which revision the client library opens with. */
export type Era = "2025-11-25" | "2026-07-28";
export const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

/** What a tool answered: its facts, its words, and whether it refused. */
interface Answer {
  readonly isError: boolean;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- a tool's facts, looked at by the test that called it
  readonly data: any;
}

export interface TestClient {
  readonly client: Client;
  /** Calls a tool; a refusal is an answer. */
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

/** The official client library, over real HTTP, with a token that it was given. */
export const openClient = (node: Pick<DashboardNode, "url">, token: string, era: Era = "2025-11-25"): Promise<TestClient> =>
  connectClient(
    new StreamableHTTPClientTransport(new URL("/mcp", node.url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    era,
  );

export async function connectClient(transport: StreamableHTTPClientTransport, era: Era): Promise<TestClient> {
  const client = new Client(
    { name: "stet-tests", version: "1.0.0" },
    { versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" } },
  );
  await client.connect(transport);
  return {
    client,
    async call(name, input = {}) {
      const result = await client.callTool({ name, arguments: input });
      const [first] = result.content;
      return {
        isError: result.isError === true,
        text: first?.type === "text" ? first.text : "",
        data: result.structuredContent,
      };
    },
    close: () => client.close(),
  };
}
