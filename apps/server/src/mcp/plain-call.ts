import type { AuthInfo } from "@modelcontextprotocol/server";
import { callTool, type CallingOptions } from "./call-tool.ts";
import type { Callers } from "./caller.ts";
import { type ServerInfo } from "./server.ts";
import { toolNamed } from "./tools.ts";

export type MessageHeaders = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly given: Fields | undefined;
  readonly isModern: boolean;
}

const OLDER: ReadonlySet<unknown> = new Set(["2025-03-26", "2025-06-18", "2025-11-25"]);
const MODERN = "2026-07-28";
const ENVELOPE = "io.modelcontextprotocol/";

/**
 * Answers the one message that assistants send all day, a call of a tool in its plainest form. The protocol's library takes more
 * processor time for it than most tools do, so it is read and answered here; whatever is unusual about a message, the library
 * judges: null. A test holds both against each other, byte by byte.
 */
export function createPlainAnswers(
  options: CallingOptions & { callers: Callers; serverInfo: ServerInfo },
): (headers: MessageHeaders, message: unknown, authInfo: AuthInfo) => Promise<object> | null {
  const _meta = { [`${ENVELOPE}serverInfo`]: options.serverInfo };
  return (headers, message, authInfo) => {
    const call = readPlainCall(headers, message);
    const tool = call && toolNamed(call.name);
    if (!tool) return null;
    const answer = callTool(tool, call.given, options.callers(authInfo), options);
    return answer.then((result) => ({
      result: call.isModern ? { ...result, resultType: "complete", _meta: { ...result._meta, ..._meta } } : result,
      jsonrpc: "2.0",
      id: call.id,
    }));
  };
}

/** Exactly what a client of either revision sends who wants nothing but the answer. */
export function readPlainCall(headers: MessageHeaders, message: unknown): PlainCall | null {
  if (!/^application\/json(?:; *charset=utf-8)?$/i.test(headers["content-type"] ?? "")) return null;
  const accepted = headers["accept"] ?? "";
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream")) return null;
  if (!hasOnly(message, ["jsonrpc", "id", "method", "params"])) return null;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !(typeof id === "string" || Number.isSafeInteger(id))) return null;
  if (!hasOnly(params, ["name", "arguments", "_meta"])) return null;
  const { name, arguments: given, _meta } = params;
  if (typeof name !== "string" || !(given === undefined || isObject(given))) return null;
  const isModern = isModernEnvelope(headers, name, _meta);
  if (!isModern && !isOlder(headers, _meta)) return null;
  return { id: id as string | number, name, given, isModern };
}

const isOlder = (headers: MessageHeaders, meta: unknown): boolean =>
  meta === undefined &&
  OLDER.has(headers["mcp-protocol-version"]) &&
  headers["mcp-method"] === undefined &&
  headers["mcp-name"] === undefined;

function isModernEnvelope(headers: MessageHeaders, name: string, meta: unknown): boolean {
  if (headers["mcp-protocol-version"] !== MODERN || headers["mcp-method"] !== "tools/call" || headers["mcp-name"] !== name) return false;
  if (!hasOnly(meta, [`${ENVELOPE}protocolVersion`, `${ENVELOPE}clientInfo`, `${ENVELOPE}clientCapabilities`])) return false;
  const client = meta[`${ENVELOPE}clientInfo`];
  const capabilities = meta[`${ENVELOPE}clientCapabilities`];
  if (!hasOnly(client, ["name", "version"]) || typeof client["name"] !== "string" || typeof client["version"] !== "string") return false;
  return meta[`${ENVELOPE}protocolVersion`] === MODERN && isObject(capabilities) && Object.values(capabilities).every(isEmpty);
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const hasOnly = (value: unknown, keys: readonly string[]): value is Fields =>
  isObject(value) && Object.keys(value).every((key) => keys.includes(key));
