import { describe, expect, test } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import { makeResetLink } from "#adapters/accounts/sessions";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { problemOf } from "#test/delivery-node";
import { TEST_SECRET } from "#test/services";

const PASSWORD = "correct horse battery";
const node = closedAtEnd(await openDashboardNode({ pages: false, mail: true }));

let people = 0;
async function aPerson() {
  const account = await node.services.accounts.create({ email: `p${++people}@example.com`, name: "Ada", password: PASSWORD });
  return account!;
}

const post = (path: string, body: unknown, init: { cookie?: string; headers?: Record<string, string> } = {}, at = node) =>
  at.fetch(path, {
    method: "POST",
    ...(init.cookie && { cookie: init.cookie }),
    headers: { "Content-Type": "application/json", ...init.headers },
    body: JSON.stringify(body),
  });
const signIn = (email: string, password = PASSWORD, at = node) => post("/api/auth/sign-in/email", { email, password }, {}, at);
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
const knownDeviceOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("stet.known_device="))!
    .split(";")[0]!;
const isSignedIn = (cookie: string) => node.isSignedIn(cookie);

test("signing in sets a cookie that scripts cannot read and other sites cannot send along", async () => {
  const person = await aPerson();
  const answer = await signIn(person.email.toUpperCase());
  expect(answer.status).toBe(200);
  const [cookie = ""] = answer.headers.getSetCookie().filter((each) => each.startsWith("stet.session_token="));
  expect(cookie).toMatch(/; HttpOnly/i);
  expect(cookie).toMatch(/; SameSite=Lax/i);
  expect(cookie).toMatch(/; Path=\/(;|$)/i);
  expect(cookie).toMatch(/; Max-Age=2592000/i);
  expect(cookie).not.toMatch(/; Domain/i);
  expect(await isSignedIn(cookieOf(answer))).toBe(true);
});

test("under https the cookie is Secure and bound to this host by its name", async () => {
  const { auth } = openAccounts({
    pool: node.services.database.pool,
    secret: TEST_SECRET,
    baseUrl: "https://stet.test",
    signups: false,
  });
  const { authCookies } = await auth.$context;
  expect(authCookies.sessionToken).toMatchObject({
    name: expect.stringMatching(/^__Secure-stet\./),
    attributes: { secure: true, httpOnly: true, sameSite: "lax" },
  });
});

test("what makes a device known is bound to one account, cannot be read by scripts, and signs nobody in", async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  const answer = await signIn(person.email);
  const [cookie = ""] = answer.headers.getSetCookie().filter((each) => each.startsWith("stet.known_device="));
  expect(cookie).toMatch(/; Max-Age=15552000; Path=\/api\/auth; HttpOnly; SameSite=Lax$/);
  const device = knownDeviceOf(answer);
  expect(await isSignedIn(device)).toBe(false);
  const again = await post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD }, { cookie: device });
  expect(knownDeviceOf(again)).toBe(device);
  const others = await post("/api/auth/sign-in/email", { email: other.email, password: PASSWORD }, { cookie: device });
  expect(knownDeviceOf(others)).not.toBe(device);
  expect((await signIn(person.email, "wrong password")).headers.getSetCookie()).toEqual([]);
});

test("signing out, and withdrawing the other sessions, acts on the next request", async () => {
  const person = await aPerson();
  const [first, second, third] = [await node.signIn(person), await node.signIn(person), await node.signIn(person)];
  expect((await post("/api/auth/sign-out", {}, { cookie: first })).status).toBe(200);
  expect(await isSignedIn(first)).toBe(false);
  expect((await post("/api/auth/revoke-other-sessions", {}, { cookie: second })).status).toBe(200);
  expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([true, false]);
});

test("changing the password ends the other sessions, even when the page does not ask for it", async () => {
  const person = await aPerson();
  const [here, elsewhere] = [await node.signIn(person), await node.signIn(person)];
  const body = { currentPassword: PASSWORD, newPassword: "another long password", revokeOtherSessions: false };
  const answer = await post("/api/auth/change-password", body, { cookie: here });
  expect(answer.status).toBe(200);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(cookieOf(answer))).toBe(true);
  expect((await signIn(person.email)).status).toBe(401);
});

test("what the dashboard does not use of the library does not exist", async () => {
  const cookie = await node.signIn(await aPerson());
  for (const path of [
    "/sign-in/social",
    "/delete-user",
    "/link-social",
    "/change-email",
    "/verify-password",
    "/send-verification-email",
    "/update-session",
    "/two-factor/send-otp",
  ]) {
    expect((await post(`/api/auth${path}`, {}, { cookie })).status, path).toBe(404);
  }
  for (const path of ["/ok", "/error", "/callback/github", "/list-accounts", "/reset-password/abc", "/verify-email?token=x"]) {
    expect((await node.fetch(`/api/auth${path}`, { cookie })).status, path).toBe(404);
  }
  expect((await node.fetch("/api/auth/sign-in/email", { cookie })).status).toBe(404);
});

test("a name is one line that can be seen, and nothing else of an account is changed that way", async () => {
  const person = await aPerson();
  const cookie = await node.signIn(person);
  const update = async (body: unknown) => (await post("/api/auth/update-user", body, { cookie })).status;
  expect(await update({ name: "Ada Lovelace" })).toBe(200);
  expect((await node.services.accounts.get(person.id))?.name).toBe("Ada Lovelace");
  for (const body of [
    { name: "" },
    { name: "x".repeat(121) },
    { name: "a\u202eb" },
    { name: "Ada", image: "javascript:1" },
    { email: "x@y.z" },
  ]) {
    expect(await update(body), JSON.stringify(body)).toBe(422);
  }
});

test("what is refused around signing in is a problem as everywhere, with words that say what to do", async () => {
  const person = await aPerson();
  const cookie = await node.signIn(person);
  const cases: [string, number, string, Promise<Response>][] = [
    ["a wrong password", 401, "INVALID_EMAIL_OR_PASSWORD", signIn(person.email, "not the password")],
    ["no address", 400, "INVALID_EMAIL", signIn("ada")],
    ["a body of another shape", 400, "MALFORMED_BODY", post("/api/auth/sign-in/email", { email: ["x"], password: "x" })],
    ["no body", 400, "MALFORMED_BODY", node.fetch("/api/auth/sign-in/email", { method: "POST" })],
    ["nobody signed in", 401, "NOT_SIGNED_IN", node.fetch("/api/auth/list-sessions")],
    ["no session to change", 401, "NOT_SIGNED_IN", post("/api/auth/change-password", { currentPassword: "x", newPassword: "x" })],
    ["a link that is none", 400, "INVALID_TOKEN", post("/api/auth/reset-password", { token: "x", newPassword: PASSWORD })],
    [
      "a closed sign-up",
      400,
      "EMAIL_PASSWORD_SIGN_UP_DISABLED",
      post("/api/auth/sign-up/email", { email: "x@example.com", name: "Eve", password: PASSWORD }),
    ],
    ["a code of nobody", 401, "INVALID_TWO_FACTOR_COOKIE", post("/api/auth/two-factor/verify-totp", { code: "000000" })],
    ["a passkey of nobody", 400, "CHALLENGE_NOT_FOUND", post("/api/auth/passkey/verify-authentication", { response: {} })],
    [
      "what it has no word for",
      400,
      "AUTH_REFUSED",
      post("/api/auth/two-factor/generate-backup-codes", { password: PASSWORD }, { cookie }),
    ],
    ["an address that is not there", 404, "ROUTE_NOT_FOUND", post("/api/auth/nothing", {})],
  ];
  for (const [name, status, code, asked] of cases) {
    const answer = await asked;
    expect(answer.status, name).toBe(status);
    expect(answer.headers.get("content-type"), name).toBe("application/problem+json");
    expect(await answer.json(), name).toEqual({
      type: `${node.url}/docs/errors#${code}`,
      title: expect.stringMatching(/^[A-Z]/),
      status,
      detail: expect.stringMatching(/\.$/),
      code,
      requestId: answer.headers.get("x-request-id"),
    });
  }
});

test("strangers cannot sign up on their own unless sign-ups are open", async () => {
  const body = { email: "stranger@example.com", name: "Eve", password: PASSWORD };
  expect((await post("/api/auth/sign-up/email", body)).status).toBe(400);
  expect(await node.services.accounts.findByEmail(body.email)).toBeNull();
  const open = await openDashboardNode({ pages: false, signups: "open" });
  const answer = await post("/api/auth/sign-up/email", body, {}, open);
  expect(answer.status).toBe(200);
  expect(await open.isSignedIn(cookieOf(answer))).toBe(true);
  expect(await (await open.fetch("/api/install")).json()).toMatchObject({ data: { signups: "open", needsSetup: true } });
  await open.stop();
});

describe("a new password", () => {
  const reset = (token: string, newPassword = "brand new password") => post("/api/auth/reset-password", { token, newPassword });

  test("asking for one is answered alike whether there is an account or not; the letter holds a link that works once", async () => {
    const person = await aPerson();
    const session = await node.signIn(person);
    const known = await post("/api/auth/request-password-reset", { email: person.email });
    const unknown = await post("/api/auth/request-password-reset", { email: "nobody@example.com" });
    expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
    const letters = node.mails.filter(({ subject }) => subject === "Reset your password");
    expect(letters.map((mail) => mail.to)).toEqual([person.email]);
    const link = new URL(/http\S+/.exec(letters[0]!.text.split("expires in an hour:")[1]!)![0]);
    expect(link.origin + link.pathname).toBe(`${node.url}/reset-password`);
    const token = link.searchParams.get("token")!;
    const { rows } = await node.services.database.pool.query(`SELECT identifier FROM verification`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect((await reset(token)).status).toBe(200);
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn(person.email, "brand new password")).status).toBe(200);
    expect((await reset(token)).status).toBe(400);
  });

  test("the operator's link does the same, and is void after an hour", async () => {
    const person = await aPerson();
    const { auth } = openAccounts({ pool: node.services.database.pool, secret: TEST_SECRET, baseUrl: node.url, signups: false });
    const made = await makeResetLink(auth, node.url, person.id, "a-token-of-the-operator");
    expect(made).toBe(`${node.url}/reset-password?token=a-token-of-the-operator`);
    await makeResetLink(auth, node.url, person.id, "an-old-token");
    await node.services.database.query({
      text: `UPDATE verification SET "expiresAt" = now() - interval '1 second' WHERE id = (SELECT id FROM verification ORDER BY "createdAt" DESC LIMIT 1)`,
    });
    expect((await reset("an-old-token")).status).toBe(400);
    expect((await reset("a-token-of-the-operator")).status).toBe(200);
    expect((await signIn(person.email, "brand new password")).status).toBe(200);
  });
});

test("guessing is refused by account, from wherever it comes, and by address, whatever the account; success is not punished", async () => {
  const strict = await openDashboardNode({
    pages: false,
    attempts: { address: { ratePerSecond: 0.001, burst: 12 }, account: { ratePerSecond: 0.001, burst: 3 } },
  });
  const person = await strict.services.accounts.create({ email: "guessed@example.com", name: "Ada", password: PASSWORD });
  for (let n = 0; n < 3; n++) expect((await signIn(person!.email, PASSWORD, strict)).status).toBe(200);
  const device = knownDeviceOf(await signIn(person!.email, PASSWORD, strict));
  for (let n = 0; n < 3; n++) expect((await signIn(person!.email, "wrong password", strict)).status).toBe(401);
  const refused = await signIn(person!.email.toUpperCase(), PASSWORD, strict);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(1);
  expect(await problemOf(refused)).toMatchObject({ code: "RATE_LIMITED" });
  const credentials = { email: person!.email, password: PASSWORD };
  // Whoever was let in before is no stranger; on another account, or with a name that it gave itself, it is.
  expect((await post("/api/auth/sign-in/email", credentials, { cookie: device }, strict)).status).toBe(200);
  const forged = `${device.split(".").slice(0, 2).join(".")}.${"A".repeat(43)}`;
  expect((await post("/api/auth/sign-in/email", credentials, { cookie: forged }, strict)).status).toBe(429);
  for (let n = 0; n < 4; n++) expect((await signIn(`other-${n}@example.com`, "wrong password", strict)).status).toBe(401);
  expect((await signIn("last@example.com", "wrong password", strict)).status).toBe(429);
  // An address that the client claims for itself changes nothing.
  const claimed = { "X-Forwarded-For": "203.0.113.9", "X-Stet-Client-Address": "203.0.113.9" };
  const again = await post("/api/auth/sign-in/email", { email: "x@example.com", password: "wrong" }, { headers: claimed }, strict);
  expect(again.status).toBe(429);
  await strict.stop();
});

test.each([
  ["/sign-in/email", { email: "a@example.com", password: "a\u0000b" }],
  ["/sign-in/email", { email: "a\u0000@example.com", password: PASSWORD }],
  ["/reset-password", { token: "a\u0000b", newPassword: "brand new password" }],
  ["/two-factor/verify-totp", { code: "a\u0000b" }],
  ["/passkey/verify-authentication", { response: { id: "a\u0000b" } }],
])("what no database can hold is refused, not a fault of ours: %s", async (path, body) => {
  expect((await post(`/api/auth${path}`, body)).status).toBeLessThan(500);
});
