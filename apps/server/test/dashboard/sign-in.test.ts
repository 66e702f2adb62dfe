import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { createAccount } from "#operations/accounts/create-account";
import { expectNoSeriousFindings } from "#test/axe";
import { openDashboardNode } from "#test/dashboard-node";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const PASSWORD = "correct horse battery";
const ATTEMPTS = { address: { ratePerSecond: 1_000, burst: 10_000 }, account: { ratePerSecond: 1 / 60, burst: 3 } };

await withDashboard({ signups: "open", mail: true, attempts: ATTEMPTS }, async (node, browser) => {
  const tenant = await node.makeTenant();

  const makePerson = async (name: string) => {
    const email = `${name.toLowerCase()}@example.com`;
    const { id } = await node.call(createAccount, systemActor("test"), { email, name, password: PASSWORD });
    return { id, name, email };
  };
  const signIn = async (page: Page, email: string, password: string) => {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const invite = async (email: string) => {
    const { link } = await node.rpc(await node.signIn(tenant.owner), "invite_member", {
      workspaceId: tenant.workspace.id,
      email,
      role: "editor",
    });
    return link;
  };
  const shown = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();

  test("a person signs in, arrives where they wanted to go and never on another host, and signs out", async () => {
    const { email } = await makePerson("Grace");
    const context = await browser.open(null);
    const page = await context.newPage();
    await page.goto("/account/sessions");
    await page.waitForURL(/\/sign-in\?next=/);
    await expectNoSeriousFindings(page);
    await signIn(page, email, "not the password");
    await page.getByText("Wrong email or password").waitFor();
    expect(await context.cookies()).toEqual([]);
    await signIn(page, email, PASSWORD);
    await page.waitForURL(/\/account\/sessions$/);
    await page.getByText("This device").waitFor();
    const cookies = await context.cookies();
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(["stet.known_device", "stet.session_token"]);
    expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === "Lax")).toBe(true);

    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
    await page.goto(`/sign-in?next=${encodeURIComponent("https://evil.example/")}`);
    await signIn(page, email, PASSWORD);
    // Without a workspace, a person begins here.
    await page.waitForURL(`${node.url}/welcome`);
    for (const next of ["//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"]) {
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      await page.waitForURL(`${node.url}/welcome`);
    }
    await context.close();
  });

  test("pages for whoever is not signed in leave nothing red in the browser's console", async () => {
    const context = await browser.open(null);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    for (const [path, title] of [
      ["/", "Sign in"],
      ["/account", "Sign in"],
      ["/sign-up", "Create an account"],
      ["/forgot-password", "Reset your password"],
      [await invite("quiet@example.com"), `Join ${tenant.workspace.name}`],
    ] as const) {
      await page.goto(path);
      await shown(page, title);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("who guesses is told how long to wait", async () => {
    const { email } = await makePerson("Linus");
    const page = await openPage(browser, null, "/sign-in", { device: "phone" });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const answered = page.waitForResponse(/sign-in\/email/);
      await signIn(page, email, `guess ${attempt}`);
      expect((await answered).status()).toBe(401);
    }
    await signIn(page, email, PASSWORD);
    await page.getByText("Too many attempts. Wait").waitFor();
  });

  test("a forgotten password is replaced through a mailed link that works once, and nobody learns which addresses have an account", async () => {
    const { id, email } = await makePerson("Barbara");
    const elsewhere = await node.signIn(id);
    const context = await browser.open(null, { theme: "dark" });
    const page = await context.newPage();
    const answers: string[] = [];
    for (const address of ["nobody@example.com", email]) {
      await page.goto("/forgot-password");
      await page.getByLabel("Email").fill(address);
      await page.getByRole("button", { name: "Send link" }).click();
      await shown(page, "Check your email");
      answers.push((await page.getByRole("main").innerText()).replaceAll(address, "ADDRESS"));
    }
    expect(answers[0]).toBe(answers[1]);
    await expectNoSeriousFindings(page);
    const letters = () => node.mails.filter(({ subject }) => subject === "Reset your password");
    await expect.poll(() => letters().map(({ to }) => to)).toEqual([email]);
    const [link = ""] = /http\S+/.exec(letters()[0]!.text.split("\n\n")[2]!) ?? [];

    await page.goto(link);
    await page.getByLabel("New password").fill("a better horse battery");
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Save password" }).click();
    await shown(page, "Password changed");
    expect(await node.isSignedIn(elsewhere)).toBe(false);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, email, "a better horse battery");
    await page.waitForURL(/\/welcome$/);

    await page.goto(link);
    await page.getByLabel("New password").fill("the worst horse battery");
    await page.getByRole("button", { name: "Save password" }).click();
    await shown(page, "This link no longer works");
    await context.close();
  });

  test("an invitation is accepted by whoever it is for: with a new account, with the account they have, and by nobody else", async () => {
    const page = await openPage(browser, null, await invite("newcomer@example.com"), { device: "phone", theme: "dark" });
    await shown(page, `Join ${tenant.workspace.name}`);
    await expectNoSeriousFindings(page);
    await page.getByLabel("Your name").fill("Newcomer");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account and join" }).click();
    await page.waitForURL(new RegExp(`/s/${tenant.website.id}$`));

    const { email } = await makePerson("Edsger");
    const link = await invite(email);
    await page.goto(link);
    await page.getByText("This invitation is for another account").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Sign out and continue" }).click();
    await page.getByRole("link", { name: "Sign in to join" }).click();
    await signIn(page, email, PASSWORD);
    await page.getByRole("button", { name: "Accept and join" }).click();
    await page.waitForURL(new RegExp(`/w/${tenant.workspace.id}$`));
    await page.getByText(`Welcome to ${tenant.workspace.name}`).waitFor();

    await page.goto(link);
    await shown(page, "This invitation is no longer valid");
    await expectNoSeriousFindings(page);
  });

  test("where sign-up is open, a stranger makes an account, a workspace and a website, and learns what the plan allows", async () => {
    const page = await openPage(browser, null, "/sign-in");
    await page.getByRole("link", { name: "Create one" }).click();
    // The page before it asks for an address, too.
    await shown(page, "Create an account");
    const signUp = async (email: string) => {
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Continue" }).click();
      await shown(page, "Check your email");
    };
    const letterTo = async (email: string) => {
      await expect.poll(() => node.mails.some(({ to }) => to === email)).toBe(true);
      return node.mails.findLast(({ to }) => to === email)!.text;
    };
    // Whoever has an account is told in a letter, and nobody else is.
    await signUp(tenant.owner.email);
    expect(await letterTo(tenant.owner.email)).toContain("You already have an account there");
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Use another address" }).click();
    await expectNoSeriousFindings(page);
    await signUp("margaret@example.com");
    await page.goto(/http\S+token=\S+/.exec(await letterTo("margaret@example.com"))![0]);
    await shown(page, "Create an account");
    expect(await page.getByLabel("Email").inputValue()).toBe("margaret@example.com");
    await page.getByLabel("Your name").fill("Margaret");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await expectNoSeriousFindings(page);
    const letter = page.url();
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(/\/welcome$/);
    await page.getByLabel("Workspace").fill("Apollo");
    await page.getByLabel("Website").fill("Flight log");
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.waitForURL(/\/connect$/);
    await page.getByLabel("the key", { exact: true }).waitFor();

    await page.goto("/welcome");
    await page.getByLabel("Website").fill("Second log");
    await page.getByRole("button", { name: "Create website" }).click();
    await page.getByText("No room for another website").waitFor();
    await page.getByRole("link", { name: "View limits" }).click();
    await page.waitForURL(/\/w\/ws_\w+\/plan$/);

    await page.goto(letter);
    await page.getByLabel("Your name").fill("Margaret");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await shown(page, "This link no longer works");
    await expectNoSeriousFindings(page);
  });

  test("where no mail is sent, an account is made at once, and an address that has one is told so", async () => {
    const mute = await openDashboardNode({ signups: "open", pages: false });
    const { email } = (await mute.makeTenant()).owner;
    const page = await openPage(browser, null, "/sign-in");
    await page.goto(`${mute.url}/sign-up`);
    await page.getByLabel("Your name").fill("Margaret");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("This email address already has an account").waitFor();
    await page.getByLabel("Email").fill("margaret@example.com");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(/\/welcome$/);
    await page.context().close();
    await mute.stop();
  });
});
