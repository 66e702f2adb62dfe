import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { whoami } from "../src/commands/whoami.ts";
import { callTool, isRefusal } from "../src/session/call-tool.ts";
import { readCredentials, writeCredentials } from "../src/session/credentials.ts";

let answers: ((response: ServerResponse) => void)[] = [];
const server = createServer((_, response) => answers.shift()!(response));
beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.stubEnv("STET_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("STET_TOKEN", "stetci_secret");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const status =
  (code: number, headers: Record<string, string> = {}, body = "{}") =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(body);
const result = (value: object) => status(200, {}, JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }));

test("a call that came too soon waits as long as it is told, and is made again", async () => {
  answers = [status(429, { "Retry-After": "0" }), status(429, { "Retry-After": "0" }), result({ structuredContent: { a: 1 } })];
  expect(await callTool("x", {})).toEqual({ a: 1 });
  answers = [status(429, { "Retry-After": "3600" }, '{"detail":"Too many requests."}')];
  await expect(callTool("x", {})).rejects.toThrow("Too many requests.");
});

test("a refusal has its code, and nothing in it moves the cursor of a terminal", async () => {
  answers = [result({ isError: true, content: [{ type: "text", text: "SLUG_TAKEN: Taken by \u001b[2J\nanother." }] })];
  const error: unknown = await callTool("x", {}).catch((thrown: unknown) => thrown);
  expect(isRefusal(error, "SLUG_TAKEN") && error.message).toBe("Taken by  [2J another.");
});

test.each([
  [status(401), "does not accept the token in STET_TOKEN"],
  [status(502, {}, "<html>"), "The server responded with status 502."],
  [status(302, { Location: "http://127.0.0.1:9/" }), "does not respond"],
  [(response: ServerResponse) => void response.destroy(), "does not respond"],
])("an answer that is none is told, without the token", async (answer, message) => {
  answers = [answer];
  const error = (await callTool("x", {}).catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).toContain(message);
  expect(`${error.message}${error.stack}`).not.toContain("stetci_secret");
});

test("a token is not sent over a connection that others can read", async () => {
  vi.stubEnv("STET_URL", "http://blog.example.com");
  await expect(callTool("x", {})).rejects.toThrow("https://");
});

test("the token is shown nowhere, whatever the server repeats: not in refusals, errors, lists or JSON", async () => {
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, "write").mockImplementation((text) => said.push(String(text)) > 0);
    onTestFinished(() => spy.mockRestore());
  }
  const echo = (make: (token: string) => object) => (response: ServerResponse) => {
    const token = response.req.headers.authorization!;
    response.writeHead(200).end(JSON.stringify(make(token)));
  };
  const account = (token: string) => ({ name: token, email: `\u001b[2J${token}` });
  const who = echo((token) => ({
    data: { account: account(token), connection: { workspaces: "all", allowDelete: false }, workspaces: [] },
  }));
  const keep = (error: unknown) => void said.push(String((error as Error).stack));
  answers = [who];
  await whoami([]);
  expect(said.join("")).toContain("Bearer …");
  // Nothing in a name moves the cursor of a terminal.
  expect(said.join("")).not.toContain("\u001b");
  answers = [who];
  await whoami(["--json"]);
  answers = [echo((token) => ({ detail: `You sent ${token}.` }))];
  await whoami(["--json"]).catch(keep);
  for (const make of [
    (token: string) => ({ result: { isError: true, content: [{ type: "text", text: `NO: ${token}` }] } }),
    (token: string) => ({ error: { message: token } }),
    (token: string) => ({ detail: token }),
  ]) {
    answers = [echo(make)];
    await callTool("x", {}).catch(keep);
  }
  expect(said).toHaveLength(6);
  expect(said.join("\n")).not.toContain("stetci_secret");
});

test("calls that hear together that their token has expired renew it once, and all go on", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "stet-config-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const url = process.env["STET_URL"]!;
  vi.stubEnv("STET_TOKEN", "");
  vi.stubEnv("XDG_CONFIG_HOME", home);
  await writeCredentials({ url, accessToken: "old", refreshToken: "once" });
  const asked: string[] = [];
  const answer = (response: ServerResponse) => {
    const { url: route, headers } = response.req;
    asked.push(route!);
    if (route === "/oauth/token") status(200, {}, '{"access_token":"new","refresh_token":"next"}')(response);
    else if (headers.authorization === "Bearer old") status(401)(response);
    else result({ structuredContent: { a: 1 } })(response);
  };
  answers = Array.from({ length: 9 }, () => answer);
  expect(await Promise.all([1, 2, 3, 4].map(() => callTool("x", {})))).toEqual([1, 2, 3, 4].map(() => ({ a: 1 })));
  expect(asked.filter((route) => route === "/oauth/token")).toHaveLength(1);
  expect(await readCredentials()).toEqual({ url, accessToken: "new", refreshToken: "next" });
});
