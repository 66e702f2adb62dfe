import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { openHeadlessBrowser, register } from "./sign-in.ts";
import { freePort } from "#test/free-port";

const SUITE = path.resolve(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

const node = closedAtEnd(await openDashboardNode({ pages: false }));

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

test("the official conformance suite finds nothing wrong with the authorisation server", async () => {
  const { owner } = await node.makeTenant();
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const clientId = await register(node, { client_name: "Conformance", redirect_uris: [callback] });
  const folder = await mkdtemp(path.join(tmpdir(), "stet-conformance-"));
  const args = [
    "--url",
    node.url,
    "--client-id",
    clientId,
    "--resource",
    `${node.url}/mcp`,
    "--port",
    String(port),
    "--output-dir",
    folder,
  ];
  const suite = spawn(process.execPath, [SUITE, "authorization", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let isSignedIn = false;
  /** The person at the browser: opens the address that the suite names, and allows. */
  const listen = (chunk: Buffer) => {
    said += chunk.toString();
    const address = /https?:\S+\/oauth\/authorize\?\S+/.exec(said)?.[0];
    if (!address || isSignedIn) return;
    isSignedIn = true;
    void openHeadlessBrowser(node, owner).then(async (browser) => {
      const answer = await browser.answer(await browser.follow(address), { answer: "allow", workspaces: "all" });
      await fetch(answer);
    });
  };
  suite.stdout.on("data", listen);
  suite.stderr.on("data", listen);
  const [code] = (await once(suite, "exit")) as [number];
  const files = await readdir(folder, { recursive: true });
  const checks: Check[] = [];
  for (const file of files.filter((name) => name.endsWith("checks.json"))) {
    checks.push(...(JSON.parse(await readFile(path.join(folder, file), "utf8")) as Check[]));
  }
  await rm(folder, { recursive: true });
  expect({ code, failed: checks.filter(({ status }) => status === "FAILURE") }, said).toEqual({ code: 0, failed: [] });
  // Every scenario there is was run to its end: none was left out for want of a client or a person.
  expect(checks.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual([
    "authorization-code-grant SUCCESS",
    "authorization-server-metadata SUCCESS",
    "authorization-server-metadata-cimd SUCCESS",
  ]);
});
