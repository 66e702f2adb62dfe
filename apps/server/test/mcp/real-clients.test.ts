import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect, openHeadlessBrowser } from "#test/oauth/sign-in";

const PACKAGES = path.resolve(import.meta.dirname, "../../../../node_modules");
const INSPECTOR = path.join(PACKAGES, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const MCP_REMOTE = path.join(PACKAGES, "mcp-remote/dist/client.js");

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
// Programs that keep something in the home folder keep it here; and there is no browser that they could open.
const home = await mkdtemp(path.join(tmpdir(), "stet-clients-"));
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

/** Runs a program until it ends, or until its output has what is waited for. */
function run(file: string, args: readonly string[], onOutput?: (output: string) => void): { output: Promise<string>; stop(): void } {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: "", HOME: home, MCP_REMOTE_CONFIG_DIR: home } });
  let output = "";
  const take = (text: string) => {
    output += text;
    onOutput?.(output);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", take);
  return { output: new Promise((resolve) => child.once("close", () => resolve(output))), stop: () => void child.kill() };
}

test("the Inspector's command line lists the tools and calls one", { timeout: 60_000 }, async () => {
  const { accessToken } = await connect(node, tenant.owner);
  const common = ["--cli", `${node.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${accessToken}`];
  const listed = await run(INSPECTOR, [...common, "--method", "tools/list"]).output;
  expect(listed).toContain('"create_post"');
  const call = [...common, "--method", "tools/call", "--tool-name", "create_post", "--tool-arg", "title=From the Inspector"];
  expect(await run(INSPECTOR, call).output).toContain('"status": "draft"');
});

test("mcp-remote finds the way to sign in by itself, and lists the tools after consent", { timeout: 60_000 }, async () => {
  const consents: Promise<void>[] = [];
  const remote = run(MCP_REMOTE, [`${node.url}/mcp`, "--allow-http"], (output) => {
    const url = /http:\/\/\S+\/oauth\/authorize\?\S+/.exec(output)?.[0];
    if (url && consents.length === 0) consents.push(allow(url));
    if (output.includes('"get_context"') || output.includes("Exiting")) remote.stop();
  });
  const output = await remote.output;
  await Promise.all(consents);
  expect(output).toContain("get_context");
});

/** What the person does in the browser that the program would have opened. */
async function allow(url: string): Promise<void> {
  const browser = await openHeadlessBrowser(node, tenant.owner);
  const back = await browser.answer(await browser.follow(url), { answer: "allow", workspaces: "all" });
  // It shows the address before it listens; a person would not have been as quick.
  await vi.waitFor(() => fetch(back), { timeout: 20_000, interval: 100 });
}
