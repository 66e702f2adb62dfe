import { expect, test } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { openDashboard } from "#main/dashboard";
import { createLog } from "#main/log";
import { closedAtEnd } from "#test/closed-at-end";
import { TEST_SECRET } from "#test/services";
import { setupToken } from "#operations/without-actor/setup";
import { openDashboardNode } from "#test/dashboard-node";

const PASSWORD = "correct horse battery";
const node = closedAtEnd(
  await openDashboardNode({
    pages: false,
    mail: true,
    attempts: { address: { ratePerSecond: 0.001, burst: 60 }, account: { ratePerSecond: 0.001, burst: 3 } },
  }),
);

let people = 0;
const aPerson = async () => (await node.services.accounts.create({ email: `p${++people}@example.com`, name: "Ada", password: PASSWORD }))!;
const post = (path: string, body: string | object, cookie?: string) =>
  node.fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(cookie && { cookie }),
  });
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

test("guesses at one account are counted however their JSON is dressed", async () => {
  const person = await aPerson();
  const guess = `\uFEFF${JSON.stringify({ email: person.email, password: "wrong password" })}`;
  const statuses = [];
  for (let attempt = 0; attempt < 4; attempt++) statuses.push((await post("/api/auth/sign-in/email", guess)).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
});

test("a new password ends every earlier link for one", async () => {
  const person = await aPerson();
  for (let letter = 0; letter < 3; letter++) await post("/api/auth/request-password-reset", { email: person.email });
  const tokens = node.mails.filter(({ to }) => to === person.email).map(({ text }) => /token=(\S+)/.exec(text)![1]!);
  expect(new Set(tokens).size).toBe(3);
  expect((await post("/api/auth/reset-password", { token: tokens[2], newPassword: "brand new password" })).status).toBe(200);
  expect((await post("/api/auth/reset-password", { token: tokens[1], newPassword: "chosen by a thief" })).status).toBe(400);

  const other = await aPerson();
  await post("/api/auth/request-password-reset", { email: other.email });
  const [token] = node.mails.filter(({ to }) => to === other.email).map(({ text }) => /token=(\S+)/.exec(text)![1]!);
  const cookie = await node.signIn(other);
  const changed = await post("/api/auth/change-password", { currentPassword: PASSWORD, newPassword: "another long password" }, cookie);
  expect(changed.status).toBe(200);
  expect((await post("/api/auth/reset-password", { token, newPassword: "chosen by a thief" })).status).toBe(400);
  expect(await node.isSignedIn(cookiesOf(changed))).toBe(true);
});

test("what strangers can have written down for them without end is limited like guessing", async () => {
  const strict = await openDashboardNode({
    pages: false,
    attempts: { address: { ratePerSecond: 0.001, burst: 3 }, account: { ratePerSecond: 0.001, burst: 3 } },
  });
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push((await strict.fetch("/api/auth/passkey/generate-authenticate-options")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  await strict.stop();
});

test("invitations cannot be sent without end", async () => {
  const { actor, workspace } = await node.makeTenant();
  const cookie = await node.signIn(actor as Extract<typeof actor, { type: "user" }>);
  const invite = (n: number) =>
    post("/api/rpc/invite_member", { workspaceId: workspace.id, email: `guest-${n}@example.com`, role: "author" }, cookie);
  for (let n = 0; n < 50; n++) expect((await invite(n)).status).toBe(200);
  expect((await invite(50)).status).toBe(429);
});

test("a tool is connected on the consent page only, under the name that it has there", async () => {
  const { actor, workspace } = await node.makeTenant();
  const cookie = await node.signIn(actor as Extract<typeof actor, { type: "user" }>);
  const client = { id: "x", name: "Claude", host: "claude.ai", redirectHost: null };
  expect((await post("/api/rpc/connect_tool", { kind: "ai", client, workspaces: workspace.id }, cookie)).status).toBe(404);
});

test("of many set-ups at once on two nodes one becomes the owner", async () => {
  const empty = await openDashboardNode({ pages: false });
  const { auth } = openAccounts({ pool: empty.services.database.pool, secret: TEST_SECRET, baseUrl: empty.url, signups: false });
  const log = createLog("silent");
  const { routes } = openDashboard({ config: { trustedProxies: [], signups: "invited" }, services: empty.services, auth });
  const handle = createDispatcher({ publicUrl: empty.url, log, checks: [], isStopping: () => false, routes, fallback: () => {} });
  const other = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl: empty.url, handle });

  const setup = { name: "Ada", password: PASSWORD, workspaceName: "Press", websiteName: "Journal", samplePosts: false };
  const headers = { "Content-Type": "application/json", Origin: empty.url };
  const answers = await Promise.all(
    // More than there are connections to the database: those who wait must not keep the one who works from its own.
    Array.from({ length: 24 }, (_, index) => {
      const url = index % 2 === 0 ? empty.url : `http://127.0.0.1:${other.port}`;
      const body = JSON.stringify({ ...setup, email: `owner-${index}@example.com`, token: setupToken(empty.services) });
      return fetch(`${url}/api/setup`, { method: "POST", headers, body });
    }),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(23).fill(404)]);
  const { rows } = await empty.services.database.pool.query(`SELECT id FROM workspaces`);
  expect(rows).toHaveLength(1);
  await other.stop(0);
  await empty.stop();
});
