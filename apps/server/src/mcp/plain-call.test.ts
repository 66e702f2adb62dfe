import { expect, test } from "vitest";
import { type MessageHeaders, readPlainCall } from "./plain-call.ts";

const BASIC = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const OLDER: MessageHeaders = { ...BASIC, "mcp-protocol-version": "2025-11-25" };
const MODERN: MessageHeaders = { ...BASIC, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "get_post" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { sampling: {} },
};
const message = (params: object = {}, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "get_post", arguments: { post: "post_1" }, ...params },
  ...more,
});
const modern = (meta: object = {}, more: object = {}) => message({ _meta: { ...META, ...meta } }, more);

test("a call that asks for nothing but the answer is read, of either revision", () => {
  expect(readPlainCall(OLDER, message())).toEqual({ id: 7, name: "get_post", given: { post: "post_1" }, isModern: false });
  expect(readPlainCall({ ...OLDER, "content-type": "application/json; charset=utf-8" }, message({}, { id: "a" }))).toMatchObject({
    id: "a",
  });
  expect(readPlainCall(MODERN, modern())).toMatchObject({ name: "get_post", isModern: true });
  expect(readPlainCall(OLDER, message({ arguments: undefined }))).toMatchObject({ given: undefined });
});

const UNUSUAL: Record<string, [MessageHeaders, unknown]> = {
  "no JSON": [OLDER, undefined],
  "no object": [OLDER, "tools/call"],
  "another method": [OLDER, message({}, { method: "tools/list" })],
  "a notification": [OLDER, { ...message(), id: undefined }],
  "an id that is no whole number": [OLDER, message({}, { id: 1.5 })],
  "an id of null": [OLDER, message({}, { id: null })],
  "another version of JSON-RPC": [OLDER, message({}, { jsonrpc: "1.0" })],
  "a field more": [OLDER, message({}, { extra: 1 })],
  "a parameter more": [OLDER, message({ task: {} })],
  "arguments in a list": [OLDER, message({ arguments: [] })],
  "a name that is none": [OLDER, message({ name: 1 })],
  "a wish for progress": [OLDER, message({ _meta: { progressToken: 1 } })],
  "no revision": [{ ...OLDER, "mcp-protocol-version": undefined }, message()],
  "an unknown revision": [{ ...OLDER, "mcp-protocol-version": "1999-01-01" }, message()],
  "an older revision with headers of the newer": [{ ...OLDER, "mcp-name": "get_post" }, message()],
  "an envelope of the newer under the older": [OLDER, modern()],
  "text that is not said to be JSON": [{ ...OLDER, "content-type": "text/plain" }, message()],
  "another alphabet": [{ ...OLDER, "content-type": "application/json; charset=latin1" }, message()],
  "an answer that would not be taken": [{ ...OLDER, accept: "application/json" }, message()],
  "the newer revision without its envelope": [MODERN, message()],
  "a header that names another tool": [{ ...MODERN, "mcp-name": "delete_post" }, modern()],
  "a header that names another method": [{ ...MODERN, "mcp-method": "tools/list" }, modern()],
  "an envelope of another revision": [MODERN, modern({ "io.modelcontextprotocol/protocolVersion": "2025-11-25" })],
  "a client without a version": [MODERN, modern({ "io.modelcontextprotocol/clientInfo": { name: "test" } })],
  "capabilities that say more": [MODERN, modern({ "io.modelcontextprotocol/clientCapabilities": { roots: { listChanged: "yes" } } })],
  "an envelope that says more": [MODERN, modern({ traceparent: "00-1-1-00" })],
};

test.each(Object.entries(UNUSUAL))("%s is left to the library", (_, [headers, unusual]) => {
  expect(readPlainCall(headers, unusual)).toBeNull();
});
