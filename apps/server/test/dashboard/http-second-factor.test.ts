import { createOTP } from "@better-auth/utils/otp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium } from "#test/chromium";
import { type DashboardNode, openBrowser, openDashboardNode } from "#test/dashboard-node";
import { withPart } from "#test/parts";

const PASSWORD = "correct horse battery";
let node: DashboardNode;
beforeAll(async () => {
  node = await openDashboardNode({ pages: false, hostname: "localhost" });
});
afterAll(() => node.stop());

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
const statusOf = async (cookie: string) => (await node.fetch("/api/session", { cookie })).status;

test("with a second factor the password alone opens nothing; a code or a backup code does, each backup code once", async () => {
  const person = (await node.services.accounts.create({ email: "two@example.com", name: "Ada", password: PASSWORD }))!;
  const session = await node.signIn(person);
  const wrong = await post("/api/auth/two-factor/enable", { password: "not the password" }, session);
  expect(wrong.status).toBe(400);
  const enabled = await post("/api/auth/two-factor/enable", { password: PASSWORD }, session);
  const { totpURI, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] };
  const uri = new URL(totpURI);
  expect(uri.searchParams.get("issuer")).toBe("Stet");
  // The secret in the address is base32; the library's own generator takes it decoded.
  const code = () => createOTP(base32(uri.searchParams.get("secret")!)).totp();
  const confirmed = await post("/api/auth/two-factor/verify-totp", { code: await code() }, session);
  expect(confirmed.status).toBe(200);
  const fresh = cookieOf(confirmed) || session;
  expect(await (await node.fetch("/api/session", { cookie: fresh })).json()).toMatchObject({ data: { user: { twoFactorEnabled: true } } });

  const signIn = () => post("/api/auth/sign-in/email", { email: person.email, password: PASSWORD });
  const half = await signIn();
  expect(await half.json()).toMatchObject({ twoFactorRedirect: true });
  expect(await statusOf(cookieOf(half))).toBe(401);
  const bad = await post("/api/auth/two-factor/verify-totp", { code: "000000" }, cookieOf(half));
  expect(bad.status).toBe(401);
  const whole = await post("/api/auth/two-factor/verify-totp", { code: await code() }, cookieOf(half));
  expect(whole.status).toBe(200);
  expect(await statusOf(cookieOf(whole))).toBe(200);

  const [backup = ""] = backupCodes;
  const useBackup = async () => post("/api/auth/two-factor/verify-backup-code", { code: backup }, cookieOf(await signIn()));
  expect((await useBackup()).status).toBe(200);
  expect((await useBackup()).status).toBe(401);

  const { rows } = await node.services.database.pool.query(`SELECT secret, "backupCodes" FROM "twoFactor"`);
  expect(JSON.stringify(rows)).not.toContain(backup);
  expect(JSON.stringify(rows)).not.toContain(base32(uri.searchParams.get("secret")!));
});

function base32(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text.replaceAll("=", "")].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString("utf8");
}

const chromium = await findChromium();
withPart("Chromium", chromium, (launch) => {
  test("a passkey is made by someone who is signed in, and signs in without a password", async () => {
    const browser = await openBrowser(node, launch);
    const person = await node.makeAccount("Grace");
    const context = await browser.open(await node.signIn(person));
    const tab = await context.newPage();
    const devtools = await context.newCDPSession(tab);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await tab.goto("/docs");
    const helpers = `
      const get = (path) => fetch("/api/auth" + path).then((answer) => answer.json());
      const send = async (path, response) => (await fetch("/api/auth" + path, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ response }) })).status;`;
    const made = await tab.evaluate(`(async () => { ${helpers}
      const options = PublicKeyCredential.parseCreationOptionsFromJSON(await get("/passkey/generate-register-options"));
      return send("/passkey/verify-registration", (await navigator.credentials.create({ publicKey: options })).toJSON());
    })()`);
    expect(made).toBe(200);
    await context.clearCookies();
    const signedIn = await tab.evaluate(`(async () => { ${helpers}
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(await get("/passkey/generate-authenticate-options"));
      return send("/passkey/verify-authentication", (await navigator.credentials.get({ publicKey: options })).toJSON());
    })()`);
    expect(signedIn).toBe(200);
    expect(await tab.evaluate(`fetch("/api/session").then((answer) => answer.json())`)).toMatchObject({
      data: { user: { id: person.id } },
    });
    const cookies = await context.cookies();
    expect(cookies.every((cookie) => cookie.httpOnly && cookie.sameSite === "Lax" && cookie.name.startsWith("stet"))).toBe(true);
    await browser.close();
  });
});
