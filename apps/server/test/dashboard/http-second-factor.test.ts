import { createOTP } from "@better-auth/utils/otp";
import { expect, test } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import type { UserId } from "#domain/ids";
import { findChromium } from "#test/chromium";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { openBrowser } from "#test/test-browser";
import { withPart } from "#test/parts";
import { TEST_SECRET } from "#test/services";

const PASSWORD = "correct horse battery";
const node = closedAtEnd(await openDashboardNode({ pages: false, hostname: "localhost", mail: true }));

const post = (path: string, body: unknown, cookie?: string) =>
  node.fetch(path, {
    method: "POST",
    ...(cookie && { cookie }),
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .filter((cookie) => !/=;|Max-Age=0/.test(cookie))
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

test("with a second factor the password alone opens nothing; a code or a backup code does, each backup code once", async () => {
  const person = (await node.services.accounts.create({ email: "two@example.com", name: "Ada", password: PASSWORD }))!;
  const session = await node.signIn(person);
  const wrong = await post("/api/auth/two-factor/enable", { password: "not the password" }, session);
  expect(wrong.status).toBe(400);
  const enabled = await post("/api/auth/two-factor/enable", { password: PASSWORD }, session);
  const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
  const uri = new URL(totpURI);
  expect(uri.searchParams.get("issuer")).toBe("Stet");
  const code = codesOf(totpURI);
  const confirmed = await post("/api/auth/two-factor/verify-totp", { code: await code(0) }, session);
  expect(confirmed.status).toBe(200);
  // Whoever else has the password could keep its owner out with it.
  const told = () => node.mails.filter(({ to }) => to === person.email).map(({ text }) => /account at \S+ (.+)/.exec(text)?.[1]);
  const once = ["Two-factor sign-in was turned on. Signing in now needs a code from an app."];
  await expect.poll(told).toEqual(once);
  const fresh = cookieOf(confirmed) || session;
  expect(await (await node.fetch("/api/session", { cookie: fresh })).json()).toMatchObject({ data: { user: { twoFactorEnabled: true } } });

  const signIn = () => post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
  const half = await signIn();
  expect(await half.json()).toMatchObject({ twoFactorRedirect: true });
  expect(await node.isSignedIn(cookieOf(half))).toBe(false);
  const bad = await post("/api/auth/two-factor/verify-totp", { code: "000000" }, cookieOf(half));
  expect(bad.status).toBe(401);
  const whole = await post("/api/auth/two-factor/verify-totp", { code: await code(1) }, cookieOf(half));
  expect(whole.status).toBe(200);
  expect(await node.isSignedIn(cookieOf(whole))).toBe(true);
  expect(told()).toEqual(once);

  const [backup = ""] = backupCodes;
  const useBackup = async () => post("/api/auth/two-factor/verify-backup-code", { code: backup }, cookieOf(await signIn()));
  expect((await useBackup()).status).toBe(200);
  expect((await useBackup()).status).toBe(401);

  const { rows } = await node.services.database.pool.query(`SELECT secret, "backupCodes" FROM "twoFactor"`);
  expect(JSON.stringify(rows)).not.toContain(backup);
  expect(JSON.stringify(rows)).not.toContain(base32(uri.searchParams.get("secret")!));
});

/** What an app shows, from now on, by step. The next one is taken early, for clocks that are off: nobody has to wait for it here. */
function codesOf(totpURI: string): (step: 0 | 1) => Promise<string> {
  const now = Math.floor(Date.now() / 30_000);
  // The secret in the address is base32; the library's own generator takes it decoded.
  const app = createOTP(base32(new URL(totpURI).searchParams.get("secret")!));
  return (step) => app.hotp(now + step);
}

/** Somebody who asks for a code on a browser of theirs that has given the password. */
async function aPersonWithApp(email: string) {
  const person = (await node.services.accounts.create({ email, name: "Ada", password: PASSWORD }))!;
  const session = await node.signIn(person);
  const enabled = await post("/api/auth/two-factor/enable", { password: PASSWORD }, session);
  const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
  const code = codesOf(totpURI);
  expect((await post("/api/auth/two-factor/verify-totp", { code: await code(0) }, session)).status).toBe(200);
  const half = async () => cookieOf(await post("/api/auth/sign-in/email", { email, password: PASSWORD }));
  return { person, code, half, backupCodes };
}

test("a code signs in once, and so does none from before it", async () => {
  const { code, half } = await aPersonWithApp("once@example.com");
  const [first, second] = [await half(), await half()];
  const send = async (step: 0 | 1, cookie: string) => post("/api/auth/two-factor/verify-totp", { code: await code(step) }, cookie);
  // The one that turned it on is used, too.
  const replayed = await send(0, first);
  expect(replayed.status).toBe(401);
  expect(await replayed.json()).toMatchObject({ code: "INVALID_CODE" });
  expect((await send(1, first)).status).toBe(200);
  expect((await send(1, second)).status).toBe(401);
  expect((await send(0, second)).status).toBe(401);
  // Taken by a node whose clock was years ahead.
  await node.services.database.pool.query(`UPDATE "twoFactor" SET "lastStep" = "lastStep" + 9999999`);
  const third = await half();
  expect((await send(1, third)).status).toBe(200);
  expect((await send(1, await half())).status).toBe(401);
  // Each since the one that was right was counted as a wrong guess.
  const { rows } = await node.services.database.pool.query<{ count: number }>(
    `SELECT "failedVerificationCount" AS count FROM "twoFactor" JOIN "user" ON "user".id = "userId" WHERE email = 'once@example.com'`,
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test("of two who come with one code at the same moment, on two nodes, one gets in; and with one backup code", async () => {
  const { code, half, backupCodes } = await aPersonWithApp("race@example.com");
  const { auth: elsewhere } = openAccounts({ pool: node.services.database.pool, secret: TEST_SECRET, baseUrl: node.url, signups: false });
  const onOther = (path: string, body: object, cookie: string) =>
    elsewhere.handler(
      new Request(node.url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: node.url, Cookie: cookie },
        body: JSON.stringify(body),
      }),
    );
  const inAtOnce = async (path: string, body: object): Promise<number> => {
    const halves = await Promise.all([half(), half(), half(), half()]);
    const answers = await Promise.allSettled(halves.map((cookie, i) => (i % 2 === 0 ? post : onOther)(path, body, cookie)));
    return answers.filter((answer) => answer.status === "fulfilled" && answer.value.status === 200).length;
  };
  expect(await inAtOnce("/api/auth/two-factor/verify-totp", { code: await code(1) })).toBe(1);
  expect(await inAtOnce("/api/auth/two-factor/verify-backup-code", { code: backupCodes[0] })).toBe(1);
});

test("a second factor that the database was lost in the middle of turning on asks for codes, and takes them", async () => {
  const { person, code, half } = await aPersonWithApp("half-on@example.com");
  await node.services.database.query({ text: `UPDATE "twoFactor" SET verified = false WHERE "userId" = $1`, values: [person.id] });
  expect((await post("/api/auth/two-factor/verify-totp", { code: await code(1) }, await half())).status).toBe(200);
});

test("a second factor that the database was lost in the middle of turning off can be turned on again", async () => {
  const { person } = await aPersonWithApp("half-off@example.com");
  await node.services.database.query({ text: `UPDATE "user" SET "twoFactorEnabled" = false WHERE id = $1`, values: [person.id] });
  const enable = async () => (await post("/api/auth/two-factor/enable", { password: PASSWORD }, await node.signIn(person))).status;
  expect(await enable()).toBe(200);
  // One that is on is not replaced.
  await node.services.database.query({ text: `UPDATE "user" SET "twoFactorEnabled" = true WHERE id = $1`, values: [person.id] });
  await node.services.database.query({ text: `UPDATE "twoFactor" SET verified = true WHERE "userId" = $1`, values: [person.id] });
  expect(await enable()).toBe(400);
});

function base32(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text.replaceAll("=", "")].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString("utf8");
}

withPart("Chromium", findChromium(), () => {
  /** A window of this person's with a device that holds passkeys, and hands that make and use them. */
  async function withDevice(person: { id: UserId }, hasUserVerification = true) {
    const browser = await openBrowser(node);
    const context = await browser.open(await node.signIn(person));
    const tab = await context.newPage();
    const devtools = await context.newCDPSession(tab);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "usb",
        hasResidentKey: true,
        hasUserVerification,
        isUserVerified: hasUserVerification,
        automaticPresenceSimulation: true,
      },
    });
    await tab.goto("/docs");
    const helpers = `
      const get = (path) => fetch("/api/auth" + path).then((answer) => answer.json());
      const send = async (path, response) => (await fetch("/api/auth" + path, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ response }) })).status;`;
    return {
      browser,
      context,
      tab,
      /** Whether the device recognises whoever holds it. */
      recognise: (isUserVerified: boolean) => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
      /** `insist: false`: as a page that does not pass on what the server asks of devices. */
      register: (insist = true) =>
        tab.evaluate(`(async () => { ${helpers}
          const options = await get("/passkey/generate-register-options");
          if (!${insist}) options.authenticatorSelection = { residentKey: "discouraged", userVerification: "discouraged" };
          const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
          return send("/passkey/verify-registration", (await navigator.credentials.create({ publicKey })).toJSON());
        })()`),
      /** `named`: the key that it asks for, without insisting that the device recognises its holder. */
      signIn: (named?: string) =>
        tab.evaluate(`(async () => { ${helpers}
          const options = await get("/passkey/generate-authenticate-options");
          const named = ${JSON.stringify(named ?? null)};
          if (named) Object.assign(options, { userVerification: "discouraged", allowCredentials: [{ type: "public-key", id: named }] });
          const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
          return send("/passkey/verify-authentication", (await navigator.credentials.get({ publicKey })).toJSON());
        })()`),
    };
  }

  test("a passkey is made by someone who is signed in, and signs in without a password", async () => {
    const person = await node.makeAccount("Grace");
    const { browser, context, tab, register, signIn } = await withDevice(person);
    expect(await register()).toBe(200);
    await context.clearCookies();
    expect(await signIn()).toBe(200);
    expect(await tab.evaluate(`fetch("/api/session").then((answer) => answer.json())`)).toMatchObject({
      data: { user: { id: person.id } },
    });
    const cookies = await context.cookies();
    expect(cookies.every((cookie) => cookie.httpOnly && cookie.sameSite === "Lax" && cookie.name.startsWith("stet"))).toBe(true);
    await browser.close();
  });

  test("having the device is not enough: one that did not recognise its holder becomes no passkey and signs nobody in", async () => {
    const person = await node.makeAccount("Karen");
    const plainKey = await withDevice(person, false);
    expect(await plainKey.register(false)).toBe(401);
    await plainKey.browser.close();
    const { browser, context, tab, recognise, register, signIn } = await withDevice(person);
    expect(await register()).toBe(200);
    await context.clearCookies();
    await recognise(false);
    // What the server asks for makes an honest device refuse.
    await expect(signIn()).rejects.toThrow("NotAllowedError");
    const { rows } = await node.services.database.pool.query<{ id: string }>({
      text: `SELECT "credentialID" AS id FROM "passkey" WHERE "userId" = $1`,
      values: [person.id],
    });
    expect(await signIn(rows[0]!.id)).toBe(401);
    expect(await tab.evaluate(`fetch("/api/session").then((answer) => answer.json())`)).toEqual({ data: null });
    await browser.close();
  });
});
