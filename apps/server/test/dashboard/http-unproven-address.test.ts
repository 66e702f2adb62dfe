import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { userActor } from "#domain/actor";
import type { UserId } from "#domain/ids";
import { connectTool } from "#operations/connections/connect-tool";
import { type DashboardNode, openDashboardNode } from "#test/dashboard-node";

const PASSWORD = "correct horse battery";
/** Three wrong passwords, and then none for longer than a test takes. */
const GUESSES = { address: { ratePerSecond: 1, burst: 1000 }, account: { ratePerSecond: 1 / 3600, burst: 3 } };
let node: DashboardNode;
beforeAll(async () => {
  node = await openDashboardNode({ pages: false, mail: true, signups: "open" });
});
afterAll(() => node.stop());

const post = (path: string, body: unknown) =>
  node.fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(";")[0]!;
const lastLetterTo = (email: string) => node.mails.findLast(({ to }) => to === email)!.text;

async function invite(email: string) {
  const tenant = await node.makeTenant();
  const owner = await node.signIn(tenant.owner);
  const { link, mail } = await node.rpc(owner, "invite_member", { workspaceId: tenant.workspace.id, email, role: "author" });
  expect(mail).toBe("sent");
  const mailed = new URL(/http\S+/.exec(lastLetterTo(email))![0]);
  const members = async () => node.rpc(owner, "list_members", { workspaceId: tenant.workspace.id });
  return { token: link.split("/").at(-1)!, proof: mailed.searchParams.get("mailed")!, mailed, link, members };
}
const signUp = (token: string, mailed?: string) =>
  post(`/api/invitations/${token}/sign-up`, { name: "Ada", password: PASSWORD, ...(mailed !== undefined && { mailed }) });
const isVerified = async (email: string) => (await node.services.accounts.findByEmail(email))?.emailVerified;

test("whoever signs up by the link in the letter has shown that the address is theirs", async () => {
  const { token, proof, mailed, link } = await invite("by-letter@example.com");
  expect(mailed.origin + mailed.pathname).toBe(link);
  expect((await signUp(token, proof)).status).toBe(200);
  expect(await isVerified("by-letter@example.com")).toBe(true);
});

test("the link that the inviter sees makes a member whose address is only a name, and says so to whoever manages members", async () => {
  const { token, members } = await invite("by-hand@example.com");
  const other = await invite("someone@example.com");
  // The proof of one invitation is none of another.
  expect((await signUp(token, other.proof)).status).toBe(200);
  expect(await isVerified("by-hand@example.com")).toBe(false);
  expect(await members()).toContainEqual(expect.objectContaining({ email: "by-hand@example.com", emailVerified: false }));
});

/** As after some days of use: a session, a passkey and a connected tool. */
async function settleIn(userId: UserId) {
  await node.services.database.query({
    text: `INSERT INTO "passkey" (id, "userId", "publicKey", "credentialID", counter, "deviceType", "backedUp")
           VALUES ($1, $2, 'key', $1, 0, 'singleDevice', false)`,
    values: [crypto.randomUUID(), userId],
  });
  const client = { id: "client", name: "Claude", host: null, redirectHost: null };
  await node.call(connectTool, userActor(userId), { kind: "ai", client, workspaces: "all" });
  return node.signIn(userId);
}
async function left(userId: UserId) {
  const { rows } = await node.services.database.pool.query(`SELECT id FROM "passkey" WHERE "userId" = $1`, [userId]);
  return { passkeys: rows.length, tools: (await node.services.connections.listOf(userId)).length };
}
async function chooseNewPassword(email: string) {
  await post("/api/auth/request-password-reset", { email });
  await expect.poll(() => lastLetterTo(email)).toContain("token=");
  const token = /token=(\S+)/.exec(lastLetterTo(email))![1];
  expect((await post("/api/auth/reset-password", { token, newPassword: "another horse battery" })).status).toBe(200);
}

test("who took somebody's address first loses the account to whoever reads the letters: no session, passkey or tool stays behind", async () => {
  const email = "victim@example.com";
  // As anybody could while the install sent no mail.
  const { id } = (await node.services.accounts.create({ email, name: "Eve", password: PASSWORD }))!;
  const thief = await post("/api/auth/sign-in/email", { email, password: PASSWORD });
  const session = await settleIn(id);
  await chooseNewPassword(email);
  expect(await isVerified(email)).toBe(true);
  expect(await left(id)).toEqual({ passkeys: 0, tools: 0 });
  expect([await node.isSignedIn(session), await node.isSignedIn(cookieOf(thief))]).toEqual([false, false]);
  expect((await post("/api/auth/sign-in/email", { email, password: PASSWORD })).status).toBe(401);
});

test("tools that end with a take-over stand in the log of every workspace that they reached", async () => {
  const { token, members } = await invite("joined@example.com");
  expect((await signUp(token)).status).toBe(200);
  const { id } = (await node.services.accounts.findByEmail("joined@example.com"))!;
  const owner = (await members()).find(({ role }) => role === "owner")!;
  const [workspace] = await node.services.platform.workspaces.listFor(id);
  await settleIn(id);
  await chooseNewPassword("joined@example.com");
  const log = await node.rpc(await node.signIn(owner.userId), "list_activity", { workspaceId: workspace!.id, action: "disconnect" });
  expect(log.items).toEqual([
    expect.objectContaining({
      actorName: "Ada",
      target: expect.objectContaining({ label: "App (“Claude”)" }),
      details: { reason: "address proved" },
    }),
  ]);
});

test("whoever forgets a password of an address that they had confirmed keeps passkeys and tools", async () => {
  const { token, proof } = await invite("forgetful@example.com");
  await signUp(token, proof);
  const { id } = (await node.services.accounts.findByEmail("forgetful@example.com"))!;
  const session = await settleIn(id);
  await chooseNewPassword("forgetful@example.com");
  expect(await left(id)).toEqual({ passkeys: 1, tools: 1 });
  expect(await node.isSignedIn(session)).toBe(false);
});

test("letters that ask whose an address is cannot be sent without end", async () => {
  const account = (await node.services.accounts.create({ email: "sender@example.com", name: "Ada", password: PASSWORD }))!;
  const cookie = await node.signIn(account);
  const ask = (n: number) => node.rpc(cookie, "change_email", { email: `target-${n}@example.com`, password: PASSWORD });
  // What was refused sent nothing.
  for (let n = 0; n < 6; n++) {
    await expect(node.rpc(cookie, "change_email", { email: "x@example.com", password: "not it" })).rejects.toThrow("VALIDATION_FAILED");
  }
  for (let n = 0; n < 5; n++) await ask(n);
  await expect(ask(5)).rejects.toThrow("RATE_LIMITED");
  await expect(node.rpc(cookie, "send_email_proof", {})).rejects.toThrow("RATE_LIMITED");
});

test("a change of address that the limit on guesses refuses has not used up a letter", async () => {
  const strict = await openDashboardNode({ pages: false, mail: true, attempts: GUESSES });
  onTestFinished(() => strict.stop());
  const account = (await strict.services.accounts.create({ email: "guessed@example.com", name: "Ada", password: PASSWORD }))!;
  const cookie = await strict.signIn(account);
  const ask = (password: string) => strict.rpc(cookie, "change_email", { email: "new@example.com", password });
  for (let n = 0; n < GUESSES.account.burst; n++) await expect(ask("not it")).rejects.toThrow("VALIDATION_FAILED");
  // More often than there are letters.
  for (let n = 0; n < 6; n++) await expect(ask(PASSWORD)).rejects.toThrow("RATE_LIMITED");
  expect(await strict.rpc(cookie, "send_email_proof", {})).toEqual({ email: account.email });
});

test("nobody says of their own account that its address is verified, or anything else that is not theirs to say", async () => {
  const email = "claims@example.com";
  for (const claim of [
    { emailVerified: true },
    { twoFactorEnabled: true },
    { image: "javascript:1" },
    { callbackURL: "https://evil.example" },
  ]) {
    expect((await post("/api/auth/sign-up/email", { email, name: "Eve", password: PASSWORD, ...claim })).status).toBe(422);
  }
  expect(await node.services.accounts.findByEmail(email)).toBeNull();
});

test("what changes how one gets in is told to the address, whoever did it", async () => {
  const account = (await node.services.accounts.create({ email: "told@example.com", name: "Ada", password: PASSWORD }))!;
  const cookie = await node.signIn(account);
  const wrong = { currentPassword: "not the password", newPassword: "another horse battery" };
  const change = (body: object) =>
    node.fetch("/api/auth/change-password", {
      method: "POST",
      cookie,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const told = () => node.mails.filter(({ to, subject }) => to === account.email && subject === "Your sign-in settings changed");
  expect((await change(wrong)).status).toBe(400);
  expect(told()).toEqual([]);
  expect((await change({ ...wrong, currentPassword: PASSWORD })).status).toBe(200);
  await expect.poll(() => told().map(({ text }) => text)).toEqual([expect.stringContaining("Your password was changed.")]);
  await chooseNewPassword(account.email);
  await expect.poll(() => told()).toHaveLength(2);
});
