import { createHmac } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { createAccount } from "#operations/accounts/create-account";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const PASSWORD = "correct horse battery";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

await withDashboard({ hostname: "localhost" }, async (node, browser) => {
  // Nobody is asked to sign in to an install without a workspace.
  await node.makeTenant();

  const makePerson = async (name: string) => {
    const email = `${name.toLowerCase()}@example.com`;
    const { id } = await node.call(createAccount, systemActor("test"), { email, name, password: PASSWORD });
    return { id, email, cookie: await node.signIn(id) };
  };
  const signIn = async (page: Page, email: string) => {
    await page.goto("/sign-in?next=/account/security");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const isSignedIn = (cookie: string) => node.isSignedIn(cookie);
  const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
  const signOut = (context: BrowserContext) => context.clearCookies();

  test("a new name is seen at once, and a new password ends all other sessions but this one", async () => {
    const { id, cookie } = await makePerson("Hedy");
    const other = await node.signIn(id);
    const page = await openPage(browser, cookie, "/account", { theme: "dark" });
    await page.getByLabel("Name").fill("<b>Hedy</b> Lamarr");
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Your account" }).getByText("<b>Hedy</b> Lamarr").waitFor();

    await page.getByRole("link", { name: "Password and security" }).click();
    await page.getByText("No passkeys yet").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("a better horse battery");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This is not your current password").waitFor();
    expect(await isSignedIn(other)).toBe(true);
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed").waitFor();
    expect(await isSignedIn(other)).toBe(false);
    await page.reload();
    await page.getByLabel("Current password").waitFor();
  });

  test("two-factor sign-in is turned on with an app, asked for, passed by a backup code, and turned off with the password", async () => {
    const { email, cookie } = await makePerson("Radia");
    const context = await browser.open(cookie, { device: "phone" });
    const page = await context.newPage();
    await page.goto("/account/security");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: "QR code" }).waitFor();
    await expectNoSeriousFindings(page);
    const secret = await page.getByLabel("the secret", { exact: true }).innerText();
    await page.getByLabel("Code from your app").fill("000000");
    await dialog(page, "Add Stet to your app").getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Code wrong or expired.").waitFor();
    await page.getByLabel("Code from your app").fill(totpOf(secret));
    await dialog(page, "Add Stet to your app").getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "I saved them" }).waitFor();
    const codes = await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "I saved them" }).click();
    await page.getByRole("button", { name: "New backup codes" }).waitFor();

    await signOut(context);
    await signIn(page, email);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await expectNoSeriousFindings(page);
    await page.getByLabel("Code from your app").fill("123");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Code wrong or expired.").waitFor();
    // The sixth digit sends it. The code from before was used, so it is the next.
    await page.getByLabel("Code from your app").fill(totpOf(secret, 1));
    await page.getByLabel("Current password").waitFor();

    await signOut(context);
    await signIn(page, email);
    await page.getByRole("button", { name: "Use a backup code instead" }).click();
    await page.getByLabel("Backup code").fill(codes[0]!);
    await page.getByRole("checkbox", { name: "Trust this device" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Current password").waitFor();
    // A device that is trusted is asked for the password only.
    await context.clearCookies({ name: "stet.session_token" });
    await signIn(page, email);
    await page.getByRole("button", { name: "Turn off" }).click();
    await dialog(page, "Turn off").getByLabel("Your password").fill("not the password");
    await dialog(page, "Turn off").getByRole("button", { name: "Turn off" }).click();
    await page.getByText("This is not your current password").waitFor();
    await page.getByLabel("Your password").fill(PASSWORD);
    await dialog(page, "Turn off").getByRole("button", { name: "Turn off" }).click();
    await page.getByText("Two-factor sign-in is off").waitFor();
    await context.close();
  });

  test("a passkey is added, renamed, signs its person in without a password, and no longer once it is removed", async () => {
    const { cookie } = await makePerson("Whitfield");
    const context = await browser.open(cookie);
    const page = await context.newPage();
    const debug = await context.newCDPSession(page);
    await debug.send("WebAuthn.enable");
    await debug.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto("/account/security");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await dialog(page, "Add a passkey").getByLabel("Name").fill("Laptop");
    await dialog(page, "Add a passkey").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Passkey “Laptop” added").waitFor();
    await page.getByRole("button", { name: "Rename Laptop" }).click();
    await dialog(page, "Rename passkey").getByLabel("Name").fill("Blue laptop");
    await dialog(page, "Rename passkey").getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Remove Blue laptop" }).waitFor();
    await expectNoSeriousFindings(page);

    await signOut(context);
    await page.goto("/sign-in?next=/account/security");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Remove Blue laptop" }).click();
    await dialog(page, "Remove “Blue laptop”?").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No passkeys yet").waitFor();

    await signOut(context);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("This passkey is not registered here").waitFor();
    await context.close();
  });

  test("sessions are told apart, ended one by one and all at once, and shown only to whoever signed in today", async () => {
    const { id, email } = await makePerson("Tim");
    const context = await browser.open(null);
    const page = await context.newPage();
    await signIn(page, email);
    await page.getByLabel("Current password").waitFor();
    const signedIn = await node.fetch("/api/auth/sign-in/email", {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": FIREFOX },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const firefox = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
    const third = await node.signIn(id);

    await page.goto("/account/sessions");
    await page.getByRole("listitem").filter({ hasText: "This device" }).getByText("Chrome on Linux").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Sign out Firefox on Windows" }).click();
    await page.getByText("Firefox on Windows is signed out").waitFor();
    expect([await isSignedIn(firefox), await isSignedIn(third)]).toEqual([false, true]);
    await page.getByRole("button", { name: "Sign out all other devices" }).click();
    await dialog(page, "Sign out all other devices?").getByRole("button", { name: "Sign out all other devices" }).click();
    await page.getByText("All other devices are signed out").waitFor();
    expect(await isSignedIn(third)).toBe(false);
    await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(1);

    await node.services.database.query({
      text: `UPDATE "session" SET "createdAt" = now() - interval '25 hours' WHERE "userId" = $1`,
      values: [id],
    });
    await page.reload();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.waitForURL(/\/sign-in\?next=%2Faccount%2Fsessions$/);
    await context.close();
  });
});

/** What an authenticator app shows now, or some steps later (RFC 6238), written apart from the library that checks it. */
function totpOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac("sha1", key).update(counter).digest();
  const offset = hash[hash.length - 1]! & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}
