import { setTimeout as sleep } from "node:timers/promises";
import { askAuthorized } from "./ask.ts";
import { shownLine } from "./shown.ts";

/** What the server refused, in its words: an error for people, with its code for us. */
type Refusal = Error & { readonly code: string; readonly isRefusal: true };
/** Errors of the file system have codes too. */
export const isRefusal = (error: unknown, code?: string): error is Refusal =>
  error instanceof Error && "isRefusal" in error && (code === undefined || (error as Refusal).code === code);

interface Message {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly type: string; readonly text?: string }[];
  };
  readonly error?: { readonly message?: string };
  readonly detail?: string;
}

/** How often a call that came too soon is repeated, and for how long it waits at most. */
const MOST_WAITS = 20;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Calls a tool of the server as the person who signed in. The command line is a connected app like an assistant: the same door, so the same
 * access, limits, suggestions, log and undo.
 */
export async function callTool<T>(name: string, input: object): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
  };
  for (let waits = 0; ; waits += 1) {
    const response = await askAuthorized("/mcp", { method: "POST", headers, body });
    const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
    if (response.status === 429 && waits < MOST_WAITS && seconds <= LONGEST_WAIT_SECONDS) {
      await response.body?.cancel();
      await sleep(Math.max(seconds, 0.1) * 1_000);
      continue;
    }
    const { result, error, detail } = (await response.json().catch(() => ({}))) as Message;
    if (result?.isError) throw refusalOf(result.content?.find(({ type }) => type === "text")?.text ?? "");
    if (result?.structuredContent !== undefined) return result.structuredContent as T;
    throw new Error(shownLine(detail ?? error?.message ?? `The server responded with status ${response.status}.`));
  }
}

/** A refusal reads `CODE: what happened. What to do next.` */
function refusalOf(text: string): Refusal {
  const [, code = "REFUSED", words = text] = /^([A-Z_]+): ([^]*)$/.exec(text) ?? [];
  return Object.assign(new Error(shownLine(words)), { code, isRefusal: true as const });
}
