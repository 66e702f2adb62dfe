/** The steps that connect each assistant to this service. */
export interface ClientSteps {
  readonly id: string;
  readonly name: string;
  readonly steps: readonly string[];
  readonly snippet?: { readonly name: string; readonly code: string };
  /** It runs elsewhere, and cannot reach an address of this machine alone. */
  readonly fromOutside?: true;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

export const clientSteps = (url: string): readonly ClientSteps[] => [
  {
    id: "claude",
    name: "Claude",
    fromOutside: true,
    steps: [
      "In Claude, on the web or on the desktop, open Settings, Connectors.",
      "Choose Add custom connector, name it Stet and paste the address above.",
      "Choose Connect. Stet asks what Claude can access: choose the workspace, then Allow.",
    ],
  },
  {
    id: "claude-code",
    name: "Claude Code",
    steps: [
      "Run this in a terminal.",
      "In Claude Code, type /mcp, choose stet and Authenticate. A browser opens and asks you to allow it.",
    ],
    snippet: { name: "Terminal", code: `claude mcp add --transport http stet ${url}` },
  },
  {
    id: "chatgpt",
    name: "ChatGPT",
    fromOutside: true,
    steps: [
      "In ChatGPT, open Settings, Apps & Connectors, Advanced settings, and switch on Developer mode.",
      "Choose Create, name it Stet, paste the address above as the MCP server URL and leave Authentication at OAuth.",
      "Choose Create, then allow it on the page that Stet shows.",
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    steps: ["Add this to the file in your home folder or project.", "In Cursor’s settings, under MCP, choose Connect beside stet."],
    snippet: { name: ".cursor/mcp.json", code: json({ mcpServers: { stet: { url } } }) },
  },
  {
    id: "codex",
    name: "Codex",
    steps: ["Run this in a terminal. A browser opens and asks you to allow it."],
    snippet: { name: "Terminal", code: `codex mcp add stet --url ${url}\ncodex mcp login stet` },
  },
  {
    id: "vscode",
    name: "VS Code",
    steps: ["Add this to the file in your project.", "Choose Start above the entry. VS Code opens a browser that asks you to allow it."],
    snippet: { name: ".vscode/mcp.json", code: json({ servers: { stet: { type: "http", url } } }) },
  },
  {
    id: "other",
    name: "Others",
    steps: [
      "Use the address above in any client that supports MCP over HTTP.",
      "For clients that only run local programs, use this entry: mcp-remote connects for them and opens a browser to sign in.",
    ],
    snippet: { name: "mcp.json", code: json({ mcpServers: { stet: { command: "npx", args: ["-y", "mcp-remote", url] } } }) },
  },
];
