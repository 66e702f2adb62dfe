import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createOTP } from "@better-auth/utils/otp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "#adapters/postgres/database";
import { userActor } from "#domain/actor";
import type { UserId } from "#domain/ids";
import { verifyWebhook } from "#domain/webhook-signature";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { secretReseal } from "#main/commands/secret-reseal";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { openDashboard } from "#main/dashboard";
import { openDelivery } from "#main/delivery";
import { checkDatabase } from "#main/doctor/database";
import { createLog } from "#main/log";
import { openOauth } from "#main/oauth";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import { openTestDatabase } from "#test/postgres";
import { openReceiver } from "#test/webhooks/receiver";
import { createDeliverer } from "#worker/webhooks/deliverer";
import { runWorkers } from "#worker/run-workers";

const [OLD, NEW] = ["old", "new"].map((name) => name.padEnd(32, "-")) as [string, string];
const PASSWORD = "correct horse battery";
const PUBLIC_URL = "http://stet.test";

let folder: string;
let database: Database & { url: string };
let receiver: Awaited<ReturnType<typeof openReceiver>>;
const nodes: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-rotation-"));
  database = await openTestDatabase();
  receiver = await openReceiver();
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await receiver.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = (secrets: string) => ({
  STET_DATA: folder,
  DATABASE_URL: database.url,
  STET_SECRET: secrets,
  PUBLIC_URL,
  STET_ALLOW_PRIVATE_TARGETS: "true",
});

/** A node as `stet serve` puts it together, without the built pages. */
async function startNode(secrets: string) {
  const log = createLog("silent");
  const installation = await openInstallation(readConfig(settings(secrets)), log, { role: "service", report: () => {} });
  const { services, config } = installation;
  const delivery = openDelivery(installation);
  const rule = { ratePerSecond: 1_000, burst: 10_000 };
  const dashboard = openDashboard({ ...installation, attempts: { address: rule, account: rule } });
  const oauth = openOauth(installation);
  const handle: (request: IncomingMessage, response: ServerResponse) => void = createDispatcher({
    publicUrl: config.publicUrl,
    log,
    checks: installation.checks,
    isStopping: () => false,
    routes: [...delivery.routes, ...oauth.routes, ...dashboard.routes],
    fallback: (_request, response) => void response.writeHead(404).end(),
  });
  const server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl: config.publicUrl, handle });
  const stopWorkers = runWorkers(services);
  let isRunning = true;
  const node = {
    services,
    fetch: (below: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${below}`, init),
    async stop() {
      if (!isRunning) return;
      isRunning = false;
      await Promise.all([server.stop(0), stopWorkers()]);
      await delivery.close();
      await oauth.close();
      await installation.close();
    },
  };
  nodes.push(node);
  return node;
}
type Node = Awaited<ReturnType<typeof startNode>>;

/** A browser: keeps its cookies, whichever node set them. */
function openJar() {
  const cookies = new Map<string, string>();
  const send = async (node: Node, below: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await node.fetch(below, { ...init, headers: { Origin: PUBLIC_URL, Cookie: cookie, ...init.headers } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === "" || /Max-Age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const post = (node: Node, below: string, body: object) =>
    send(node, below, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return {
    post,
    cookies,
    async whoAmI(node: Node): Promise<string | null> {
      const { data } = (await (await send(node, "/api/session")).json()) as { data: { user: { email: string } } | null };
      return data?.user.email ?? null;
    },
    signIn: async (node: Node, email: string) =>
      (await (await post(node, "/api/auth/sign-in/email", { email, password: PASSWORD })).json()) as { twoFactorRedirect?: boolean },
  };
}

/** Somebody with a second factor, on a browser that is signed in. */
async function join(node: Node, email: string) {
  const { id } = (await node.services.accounts.create({ email, name: "Ada", password: PASSWORD }))!;
  const jar = openJar();
  await jar.signIn(node, email);
  const { totpURI, backupCodes } = (await (await jar.post(node, "/api/auth/two-factor/enable", { password: PASSWORD })).json()) as {
    totpURI: string;
    backupCodes: string[];
  };
  const secret = base32(new URL(totpURI).searchParams.get("secret")!);
  const person = {
    id: id as UserId,
    email,
    jar,
    /** A new browser, with a code of the app. A code serves once, so the table forgets the last one: time does not pass here. */
    async signIn(at: Node, trustDevice = false) {
      const fresh = openJar();
      expect(await fresh.signIn(at, email)).toMatchObject({ twoFactorRedirect: true });
      await database.query({ text: `UPDATE "twoFactor" SET "lastStep" = NULL` });
      const answer = await fresh.post(at, "/api/auth/two-factor/verify-totp", { code: await createOTP(secret).totp(), trustDevice });
      return { status: answer.status, jar: fresh };
    },
    /** As when it was turned on: whoever is signed in shows a code. Costs no hashing of a password. */
    async showCode(at: Node): Promise<number> {
      await database.query({ text: `UPDATE "twoFactor" SET "lastStep" = NULL` });
      return (await jar.post(at, "/api/auth/two-factor/verify-totp", { code: await createOTP(secret).totp() })).status;
    },
    async signInWithBackupCode(at: Node): Promise<number> {
      const fresh = openJar();
      await fresh.signIn(at, email);
      return (await fresh.post(at, "/api/auth/two-factor/verify-backup-code", { code: backupCodes.pop() })).status;
    },
  };
  expect((await jar.post(node, "/api/auth/two-factor/verify-totp", { code: await createOTP(secret).totp() })).status).toBe(200);
  return person;
}

function base32(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text.replaceAll("=", "")].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString("utf8");
}

const keyWorks = async (node: Node, key: string) =>
  (await node.fetch("/v1/blog/posts", { headers: { Authorization: `Bearer ${key}` } })).status;

test("the secret is rotated node by node: nobody is signed out, and codes, keys, tokens, webhooks and invitations go on working", async () => {
  let [a, b] = [await startNode(OLD), await startNode(OLD)];
  const ada = await join(a, "ada@example.com");
  const { services } = a;
  const owner = userActor(ada.id);
  const { id: workspaceId } = await execute(services, registry.create_workspace, owner, { name: "Acme" });
  await services.platform.workspaces.setPlan(workspaceId, "team");
  const { id: websiteId } = await execute(services, registry.create_website, owner, { workspaceId, name: "Blog" });
  const { key } = await execute(services, registry.create_key, owner, { websiteId, name: "Site" });
  const { key: idleKey } = await execute(services, registry.create_key, owner, { websiteId, name: "Nobody's" });
  const { secret: signs } = await execute(services, registry.create_webhook, owner, {
    websiteId,
    url: receiver.url,
    events: ["post.published"],
  });
  const { token } = await execute(services, registry.create_ci_credential, owner, { name: "CI", workspaces: "all", password: PASSWORD });
  const { link } = await execute(services, registry.invite_member, owner, { workspaceId, email: "eve@example.com", role: "author" });
  const trusted = (await ada.signIn(a, true)).jar;

  const people = [ada];
  const keys = [key];
  let posts = 0;
  const check = async (node: Node, step: string) => {
    for (const each of people) {
      expect(await each.jar.whoAmI(node), `${step}: the session of ${each.email}`).toBe(each.email);
      expect(await each.showCode(node), `${step}: the code of ${each.email}`).toBe(200);
    }
    for (const each of keys) expect(await keyWorks(node, each), `${step}: a key`).toBe(200);
    expect((await node.fetch("/api/cli/whoami", { headers: { Authorization: `Bearer ${token}` } })).status, `${step}: a token`).toBe(200);
    expect((await node.fetch(`/api/invitations/${link.split("/").at(-1)}`)).status, `${step}: an invitation`).toBe(200);
    const post = await execute(node.services, registry.create_post, owner, { websiteId, title: `Post ${++posts}`, body: "text" });
    await execute(node.services, registry.publish_post, owner, { websiteId, postId: post.id, expectedVersion: 1 });
    await createDeliverer(node.services).drain();
    await expect.poll(() => receiver.received.length, { message: `${step}: a webhook` }).toBe(posts);
    const { headers, body } = receiver.received.at(-1)!;
    expect(verifyWebhook(String(headers["service-signature"]), body, signs, new Date()), `${step}: its signature`).toBe(true);
  };
  const signInOnBoth = async (step: string) => {
    for (const node of [a, b]) {
      for (const each of people) expect((await each.signIn(node)).status, `${step}: ${each.email} signs in`).toBe(200);
    }
    expect(await ada.signInWithBackupCode(a), `${step}: a backup code`).toBe(200);
    expect(await ada.signInWithBackupCode(b), `${step}: another backup code`).toBe(200);
  };
  const checkBoth = async (step: string) => {
    await check(a, `${step}, first node`);
    await check(b, `${step}, second node`);
  };
  const replace = async (node: Node, secrets: string): Promise<Node> => {
    await node.stop();
    return startNode(secrets);
  };
  const doctor = async (secrets: string) =>
    (await checkDatabase(readConfig(settings(secrets)))).map(({ message }) => message).find((message) => message.includes("older"));

  await checkBoth("before");
  a = await replace(a, `${OLD},${NEW}`);
  await checkBoth("one node knows both");
  b = await replace(b, `${OLD},${NEW}`);
  a = await replace(a, `${NEW},${OLD}`);
  // What each makes works on the other.
  people.push(await join(a, "made-with-new@example.com"), await join(b, "made-with-old@example.com"));
  for (const node of [a, b]) keys.push((await execute(node.services, registry.create_key, owner, { websiteId, name: "Rotating" })).key);
  await checkBoth("one node makes with the new");
  await signInOnBoth("one node makes with the new");
  b = await replace(b, `${NEW},${OLD}`);
  await checkBoth("both make with the new");
  // The device that was trusted is not asked for a code.
  trusted.cookies.delete("stet.session_token");
  expect(await trusted.signIn(b, ada.email)).not.toHaveProperty("twoFactorRedirect");

  const tooEarly = await startNode(NEW).catch((error: Error) => error.message);
  expect(tooEarly).toContain("removed too early");
  expect(tooEarly).toContain("second factors");
  expect(await startNode(OLD).catch((error: Error) => error.message)).toContain("removed too early");

  for (const [name, value] of Object.entries({ ...settings(`${NEW},${OLD}`), STET_LOG: "silent" })) vi.stubEnv(name, value);
  expect(await secretReseal([])).toBe(0);
  vi.unstubAllEnvs();
  await checkBoth("sealed anew");
  expect(await doctor(`${NEW},${OLD}`)).toContain("1 project key and 1 invitation still need an older one");
  expect(await keyWorks(a, idleKey)).toBe(200);
  keys.push(idleKey);
  await database.query({ text: "UPDATE invitations SET accepted_at = now()" });
  await expect.poll(() => doctor(`${NEW},${OLD}`)).toContain("nothing needs the older ones any more");

  const { link: second } = await execute(a.services, registry.invite_member, owner, {
    workspaceId,
    email: "eve2@example.com",
    role: "author",
  });
  a = await replace(a, NEW);
  b = await replace(b, NEW);
  await signInOnBoth("the old is gone");
  for (const node of [a, b]) {
    expect((await node.fetch(`/api/invitations/${second.split("/").at(-1)}`)).status).toBe(200);
    for (const each of keys) expect(await keyWorks(node, each)).toBe(200);
    for (const each of people) expect(await each.jar.whoAmI(node)).toBe(each.email);
    expect((await node.fetch("/api/cli/whoami", { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  }
  expect(await startNode(OLD).catch((error: Error) => error.message)).toContain("is not the secret");
}, 120_000);
