import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDispatcher } from "#http/dispatcher";
import { MCP_PATH } from "#domain/oauth-record";
import { createMcpTransport } from "#http/mcp/mcp";
import { createWriteLines } from "#operations/kernel/write-lines";
import { startHttpServer, type HttpServer } from "#http/server";
import { createLog } from "#main/log";
import { openDashboardNode, type DashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import { ERAS, type Era } from "./client.ts";
import { fixtureServer } from "./conformance-fixture.ts";
import { openHeaderProxy } from "./header-proxy.ts";

const SUITE = path.resolve(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

const ASKS_THE_CLIENT = "no tool of the service asks the client for anything";
const STATELESS = "the service keeps no sessions, so a server cannot call back within one";

/** Required scenarios that do not apply, and why. A scenario that passes must not stand here. */
const NOT_APPLICABLE: Record<Era, Readonly<Record<string, string>>> = {
  "2025-11-25": {
    "tools-call-sampling": STATELESS,
    "tools-call-elicitation": STATELESS,
    "elicitation-sep1034-defaults": STATELESS,
    "elicitation-sep1330-enums": STATELESS,
    "resources-subscribe": STATELESS,
    "resources-unsubscribe": STATELESS,
  },
  "2026-07-28": {
    "input-required-result-basic-elicitation": ASKS_THE_CLIENT,
    "input-required-result-basic-sampling": ASKS_THE_CLIENT,
    "input-required-result-basic-list-roots": ASKS_THE_CLIENT,
    "input-required-result-request-state": ASKS_THE_CLIENT,
    "input-required-result-multiple-input-requests": ASKS_THE_CLIENT,
    "input-required-result-multi-round": ASKS_THE_CLIENT,
    "input-required-result-non-tool-request": ASKS_THE_CLIENT,
    "input-required-result-result-type": ASKS_THE_CLIENT,
    "input-required-result-tampered-state": ASKS_THE_CLIENT,
    "input-required-result-capability-check": ASKS_THE_CLIENT,
  },
};

/** What the service itself must pass, without a fixture: whatever does not call a tool by the suite's own name. */
const OF_THE_SERVICE: Record<Era, readonly string[]> = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"],
  "2026-07-28": [
    "tools-list",
    "resources-list",
    "prompts-list",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "input-required-result-unsupported-methods",
  ],
};

let node: DashboardNode;
let fixture: HttpServer;
let token: string;

beforeAll(async () => {
  node = await openDashboardNode({ pages: false });
  const tenant = await node.makeTenant();
  ({ accessToken: token } = await connect(node, tenant.owner));
  // The service's own door, with the suite's fixture behind it instead of the service's tools.
  const handler = createMcpHandler(fixtureServer);
  const transport = createMcpTransport({
    publicUrl: node.url,
    tokens: node.accessTokens,
    serve: (request, options) => handler.fetch(request, options),
    clock: () => new Date(),
    bodies: createWriteLines().bodies,
    trustedProxies: [],
    connectionRate: { ratePerSecond: 1_000, burst: 10_000 },
  });
  fixture = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: node.url,
    handle: createDispatcher({
      publicUrl: node.url,
      log: createLog("silent"),
      checks: [],
      isStopping: () => false,
      routes: [{ path: MCP_PATH, handle: transport }],
      fallback: (_request, response) => void response.writeHead(404).end(),
    }),
  });
});
afterAll(async () => {
  await fixture.stop(0);
  await node.stop();
});

describe.each(ERAS)("the official conformance suite, revision %s", (era) => {
  test("the service's door, with the suite's fixture behind it, meets every requirement that applies", { timeout: 120_000 }, async () => {
    const { passed, failed, unscored } = await runSuite(`http://127.0.0.1:${fixture.port}`, era);
    expect(passed.length).toBeGreaterThan(20);
    const unexpected = failed.filter((name) => !unscored.includes(name) && !(name in NOT_APPLICABLE[era]));
    expect(unexpected).toEqual([]);
    expect(Object.keys(NOT_APPLICABLE[era]).filter((name) => !failed.includes(name))).toEqual([]);
  });

  test("the service itself passes whatever needs no fixture", { timeout: 120_000 }, async () => {
    const { passed } = await runSuite(node.url, era);
    expect(passed).toEqual(expect.arrayContaining([...OF_THE_SERVICE[era]]));
  });
});

interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Run for information: extensions, and what the suite's own fixture cannot pass yet. */
  readonly unscored: readonly string[];
}

async function runSuite(url: string, era: Era): Promise<Outcome> {
  const proxy = await openHeaderProxy(url, token);
  const folder = await mkdtemp(path.join(tmpdir(), "stet-conformance-"));
  try {
    const output = await new Promise<string>((resolve) => {
      const args = [SUITE, "server", "--url", `${proxy.url}/mcp`, "--requirements", era, "-o", folder];
      // It ends with 1 when something failed; what failed is judged here.
      execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout));
    });
    const [scenarios = "", rest = ""] = (output.split("=== SUMMARY ===")[1] ?? "").split("\nTotal:");
    const named = (text: string, mark: string) => [...text.matchAll(new RegExp(`${mark} ([\\w-]+)`, "g"))].map(([, name]) => name!);
    return { passed: named(scenarios, "✓"), failed: named(scenarios, "✗"), unscored: [...named(rest, "✓"), ...named(rest, "✗")] };
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}
