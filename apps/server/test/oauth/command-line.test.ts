import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, expect, test, vi } from "vitest";
import { verifyWebhook } from "#domain/webhook-signature";
import { operations as posts } from "#operations/posts/index";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import type { Tenant } from "#test/services";
import { connect, openHeadlessBrowser } from "./sign-in.ts";

// Whole processes start and stop here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const CLI = new URL("../../src/main/cli.ts", import.meta.url).pathname;

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let tenant: Tenant;
let folder: string;
beforeEach(async () => {
  tenant = await node.makeTenant();
  folder = await mkdtemp(path.join(tmpdir(), "stet-person-"));
});

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, XDG_CONFIG_HOME: folder, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
async function stet(...args: string[]) {
  const child = start(...args);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "exit")]);
  return { code: code as number, stdout, stderr };
}
/** Resolves with what a process says on stderr, as soon as it says it. */
const said = (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let all = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      all += chunk.toString();
      const match = pattern.exec(all);
      if (match) resolve(match);
    });
    child.once("exit", () => reject(new Error(`It ended without saying ${pattern}: ${all}`)));
  });

/** Signs this machine in, with a person who allows it in their browser. */
async function login(): Promise<void> {
  const child = start("login", "--url", node.url);
  const exited = once(child, "exit");
  const [address] = await said(child, /http\S+user_code=\S+/);
  const browser = await openHeadlessBrowser(node, tenant.owner);
  const page = await (await browser.request(address)).text();
  const code = /name="user_code"\s+value="([^"]+)"/.exec(page)![1]!;
  const consent = await browser.answer(`${node.url}/oauth/device`, { user_code: code });
  await browser.answer(consent, { answer: "allow", workspaces: tenant.workspace.id });
  expect(await exited).toEqual([0, null]);
}
const credentials = path.join("stet", "credentials.json");

test("login, whoami and logout: the sign-in is for its owner's eyes, and ends on the server too", async () => {
  expect(await stet("login", "--help")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Usage: stet login [--url URL]") as string,
  });
  expect(await stet("whoami")).toMatchObject({ code: 1, stderr: "You are not signed in. Run: stet login\n" });
  await login();
  expect((await stat(path.join(folder, credentials))).mode & 0o777).toBe(0o600);
  const who = await stet("whoami", "--json");
  expect(JSON.parse(who.stdout)).toMatchObject({
    url: node.url,
    account: { email: tenant.owner.email },
    connection: { workspaces: tenant.workspace.id, allowDelete: false },
    workspaces: [{ id: tenant.workspace.id, role: "owner", websites: [{ id: tenant.website.id, name: tenant.website.name }] }],
  });
  expect((await stet("whoami")).stdout).toContain(`${tenant.website.name}  ${tenant.website.id}`);
  // The same sign-in reads posts, through the door of connected apps.
  expect(await stet("pull", path.join(folder, "posts"))).toMatchObject({ code: 0, stderr: expect.stringContaining("no posts") as string });
  expect((await stet("logout")).code).toBe(0);
  expect(await node.services.connections.listOf(tenant.owner.id)).toEqual([]);
  expect((await stet("whoami")).code).toBe(1);
  await rm(folder, { recursive: true });
});

test("an access token that has expired is renewed without a word; a connection that was ended says so", async () => {
  await login();
  const file = path.join(folder, credentials);
  const kept = JSON.parse(await readFile(file, "utf8")) as { accessToken: string };
  await writeFile(file, JSON.stringify({ ...kept, accessToken: "expired" }));
  expect((await stet("whoami")).stdout).toContain(tenant.owner.email);
  expect((JSON.parse(await readFile(file, "utf8")) as { accessToken: string }).accessToken).not.toBe("expired");
  const [connection] = await node.services.connections.listOf(tenant.owner.id);
  await node.rpc(await node.signIn(tenant.owner), "disconnect", { workspaceId: tenant.workspace.id, connectionId: connection!.id });
  expect(await stet("whoami")).toMatchObject({ code: 1, stderr: expect.stringContaining("no longer signed in") as string });
  await rm(folder, { recursive: true });
});

test("listen forwards what happens, signed with the secret it shows", async () => {
  await login();
  const received: { body: string; signature: string }[] = [];
  const program = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, signature: String(request.headers["service-signature"]) });
      response.writeHead(204).end();
    });
  });
  program.listen(0, "127.0.0.1");
  await once(program, "listening");
  const forward = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook`;
  // The only website that is reached need not be named.
  const child = start("listen", "--forward", forward);
  const [, secret] = await said(child, /(whsec_[\w-]+)[^]*Forwarding new events/);
  const delivered = said(child, /post\.published evt_\w+ → 204/);
  const ids = { websiteId: tenant.website.id };
  const post = await node.call(posts.create_post, tenant.actor, { ...ids, title: "Hello" });
  await node.call(posts.publish_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version });
  await delivered;
  const [first] = received;
  expect(verifyWebhook(first!.signature, first!.body, secret!, new Date())).toBe(true);
  expect(JSON.parse(first!.body)).toMatchObject({
    type: "post.published",
    website: { id: tenant.website.id },
    data: { post: { title: "Hello" }, status: "published" },
  });
  program.close();
  program.closeAllConnections();
  const missed = said(child, /post\.published evt_\w+ → nothing is listening there; start your program/);
  const late = await node.call(posts.create_post, tenant.actor, { ...ids, title: "Late" });
  await node.call(posts.publish_post, tenant.actor, { ...ids, postId: late.id, expectedVersion: late.version });
  await missed;
  child.kill("SIGTERM");
  await once(child, "exit");
  const { id } = await node.call(registry.create_website, tenant.actor, { workspaceId: tenant.workspace.id, name: "Second" });
  const several = await stet("listen", "--forward", forward);
  expect(several).toMatchObject({ code: 1, stderr: expect.stringContaining(`${id}  Second`) as string });
  await rm(folder, { recursive: true });
});

test("an assistant's token does not pass for the command line's, and nobody hears of another's website", async () => {
  const { accessToken } = await connect(node, tenant.owner);
  const get = (token: string, address: string) => fetch(node.url + address, { headers: { Authorization: `Bearer ${token}` } });
  expect((await get(accessToken, "/api/cli/whoami")).status).toBe(403);
  expect((await get("nothing", "/api/cli/whoami")).status).toBe(401);
  await login();
  const { accessToken: mine } = JSON.parse(await readFile(path.join(folder, credentials), "utf8")) as { accessToken: string };
  expect((await get(mine, `/api/cli/events?website=${tenant.website.id}`)).status).toBe(200);
  const other = await node.makeTenant();
  expect((await get(mine, `/api/cli/events?website=${other.website.id}`)).status).toBe(404);
  expect((await get(mine, "/api/cli/events?website=x&after=x")).status).toBe(422);
});

test("login refuses to send a sign-in over a connection that others can read", async () => {
  expect(await stet("login", "--url", "http://blog.example.com")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("https://") as string,
  });
});
