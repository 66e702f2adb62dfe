import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Streams that clients hold open to be told of changes. Nothing is announced yet, so an open one says nothing and costs a socket. */
const MOST_STREAMS = 200;

interface Given {
  readonly authInfo: AuthInfo;
  readonly parsedBody?: unknown;
}

export interface Protocol {
  fetch(request: Request, given: Given): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Both revisions of the protocol at one address. The library would answer the older one with a stream of events; ours has one
 * answer per request and nothing to say before it, so it is sent as plain JSON, which costs a third less.
 */
export function createProtocol(factory: (context: McpRequestContext) => Server, onerror: (error: Error) => void): Protocol {
  const modern = createMcpHandler(factory, { legacy: "reject", onerror, maxSubscriptions: MOST_STREAMS });

  async function serveLegacy(request: Request, given: Given): Promise<Response> {
    const server = factory({ era: "legacy", authInfo: given.authInfo, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    // A client that went away waits for nothing; the library would leave the request open for ever.
    const gone = new Promise<Response>((resolve) => {
      request.signal.addEventListener("abort", () => resolve(new Response(null, { status: 499 })), { once: true });
    });
    try {
      return await Promise.race([transport.handleRequest(request, given), gone]);
    } finally {
      await server.close();
    }
  }

  return {
    async fetch(request, given) {
      return (await isLegacyRequest(request, given.parsedBody)) ? serveLegacy(request, given) : modern.fetch(request, given);
    },
    close: () => modern.close(),
  };
}
