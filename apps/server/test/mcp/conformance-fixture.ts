import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallToolResult,
  type GetPromptResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const resource = (uri: string, words: string) => ({ type: "resource", resource: { uri, mimeType: "text/plain", text: words } }) as const;

type Work = (context: ServerContext, token: string | number | undefined) => CallToolResult | Promise<CallToolResult>;

/** Tools that the conformance suite calls by these names, each as its scenario describes it. */
const TOOLS: Record<string, Work> = {
  test_simple_text: () => text("This is a simple text response for testing."),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({ content: [resource("test://embedded-resource", "This is an embedded resource content.")] }),
  test_multiple_content_types: () => ({
    content: [{ type: "text", text: "Multiple content types test:" }, image, resource("test://mixed-content-resource", "{}")],
  }),
  test_error_handling: () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
  async test_tool_with_progress({ mcpReq }, progressToken) {
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      }
      await sleep(50);
    }
    return text("done");
  },
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", data);
      await sleep(50);
    }
    return text("done");
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log("info", "only for those who asked");
    return text("done");
  },
  test_missing_capability() {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_streaming_elicitation: () => text("done"),
};

const PROMPTS: Record<string, (given: Record<string, string>) => GetPromptResult["messages"]> = {
  test_simple_prompt: () => [{ role: "user", content: { type: "text", text: "This is a simple prompt for testing." } }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    { role: "user", content: { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } },
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    { role: "user", content: resource(resourceUri, "Embedded resource content for testing.") },
  ],
  test_prompt_with_image: () => [{ role: "user", content: image }],
};
const ARGUMENTS: Record<string, readonly string[]> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

function read(uri: string): ReadResourceResult["contents"][number] {
  if (uri === "test://static-text") return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: PIXEL };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) };
  throw new ResourceNotFoundError(uri);
}

/** What the suite needs besides what the service has, to be put behind the service's own door. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: "conformance-fixture", version: "1.0.0" },
    { capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} } },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: `Fixture ${name}`, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const work = TOOLS[params.name];
    if (!work) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`);
    return work(context, params._meta?.progressToken);
  });
  server.setRequestHandler("resources/list", () => ({
    resources: ["test://static-text", "test://static-binary"].map((uri) => ({ uri, name: uri.slice("test://".length) })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data" }],
  }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [read(params.uri)] }));
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({
      name,
      description: `Fixture ${name}`,
      arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = PROMPTS[params.name];
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name}`);
    return { messages: prompt(params.arguments ?? {}) };
  });
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [] } }));
  return server;
}
