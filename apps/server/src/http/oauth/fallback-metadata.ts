/** The metadata that the host of a client's id publishes about it: the fields used here. */
interface KnownDocument {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
}

const ON_THIS_MACHINE = ["http://localhost/callback", "http://127.0.0.1/callback"];

/**
 * Metadata documents of clients whose hosts answer some servers with a challenge for browsers (403) instead of the document.
 * Such a client has no other way: it never registers where documents are understood. Their words are those of public reports of 2026. They
 * stand in only for a document that could not be read, and lead nowhere but to the host of the id itself or to the person's own
 * machine; the longest list would be worth less than a fetch that works.
 */
export const FALLBACK_METADATA: ReadonlyMap<string, KnownDocument> = new Map([
  [
    "https://claude.ai/oauth/mcp-oauth-client-metadata",
    { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] },
  ],
  ["https://claude.ai/oauth/claude-code-client-metadata", { client_name: "Claude Code", redirect_uris: ON_THIS_MACHINE }],
  [
    "https://chatgpt.com/oauth/client.json",
    { client_name: "ChatGPT", redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"] },
  ],
  ["https://chatgpt.com/oauth/codex/client.json", { client_name: "Codex", redirect_uris: ON_THIS_MACHINE }],
]);
