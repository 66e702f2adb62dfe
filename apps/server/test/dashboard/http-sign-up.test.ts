import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { problemOf } from "#test/delivery-node";

const PASSWORD = "correct horse battery";
const node = closedAtEnd(await openDashboardNode({ pages: false, mail: true, signups: "open" }));

const post = (path: string, body: unknown, at = node) =>
  at.fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
const lettersTo = (email: string) => node.mails.filter(({ to }) => to === email);
const linkTo = async (email: string): Promise<URL> => {
  await expect.poll(() => lettersTo(email).length).toBeGreaterThan(0);
  return new URL(/http\S+token=\S+/.exec(lettersTo(email).at(-1)!.text)![0]);
};
const proofIn = (link: URL) => ({ email: link.searchParams.get("email"), token: link.searchParams.get("token") });

/** All that an answer tells, but the names that are its own. */
async function toldBy(answer: Response): Promise<object> {
  const { requestId: _, ...body } = (await answer.json()) as { requestId?: string };
  const headers = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return { status: answer.status, headers, body };
}

test("with open sign-ups and mail, nobody learns from an answer whether an address has an account", async () => {
  await node.services.accounts.create({ email: "known@example.com", name: "Ada", password: PASSWORD });
  const signUp = async (email: string) => [
    await toldBy(await post("/api/sign-up", { email })),
    await toldBy(await post("/api/auth/sign-up/email", { email, name: "Eve", password: PASSWORD })),
    await toldBy(await post("/api/auth/sign-in/email", { email, password: PASSWORD.toUpperCase() })),
  ];
  const known = await signUp("known@example.com");
  expect(known[0]).toMatchObject({ status: 200, body: { data: { sent: true } } });
  expect(await signUp("other@example.com")).toEqual(known);
  expect(await node.services.accounts.findByEmail("other@example.com")).toBeNull();
});

test("the holder of an address that has an account hears of it, and is told how to get in", async () => {
  await node.services.accounts.create({ email: "holder@example.com", name: "Ada", password: PASSWORD });
  await post("/api/sign-up", { email: " Holder@Example.com " });
  await expect.poll(() => lettersTo("holder@example.com").length).toBe(1);
  const [letter] = lettersTo("holder@example.com");
  expect(letter!.subject).toBe("You already have an account");
  expect(letter!.text).toContain(`${node.url}/sign-in`);
  expect(letter!.text).toContain(`${node.url}/forgot-password`);
  expect(letter!.text).not.toContain("token=");
});

test("whoever reads the letter chooses the name and the password, once, and has a confirmed address and a session", async () => {
  const email = "new@example.com";
  await post("/api/sign-up", { email });
  const link = await linkTo(email);
  expect(link.origin + link.pathname).toBe(`${node.url}/finish-sign-up`);
  const finish = (body: object) => post("/api/sign-up/finish", { ...proofIn(link), name: "Ada", password: PASSWORD, ...body });
  // What is wrong with the form does not use up the link.
  expect((await problemOf(await finish({ password: "short" }))).errors).toEqual([expect.objectContaining({ field: "password" })]);
  expect((await finish({ name: "" })).status).toBe(422);
  expect((await finish({ emailVerified: true })).status).toBe(422);
  expect((await finish({ email: "somebody@example.com" })).status).toBe(404);
  const done = await finish({});
  expect(done.status).toBe(200);
  expect(await node.isSignedIn(done.headers.getSetCookie()[0]!.split(";")[0]!)).toBe(true);
  const account = await node.services.accounts.findByEmail(email);
  expect(account).toMatchObject({ name: "Ada", emailVerified: true });
  expect(await node.services.accounts.verifyPassword(account!.id, PASSWORD)).toBe(true);
  expect((await finish({})).status).toBe(404);
});

test("of several links to one address the first that is followed makes the account", async () => {
  const email = "twice@example.com";
  await post("/api/sign-up", { email });
  const first = await linkTo(email);
  await post("/api/sign-up", { email });
  await expect.poll(() => lettersTo(email).length).toBe(2);
  const second = await linkTo(email);
  const finish = (link: URL) => post("/api/sign-up/finish", { ...proofIn(link), name: "Ada", password: PASSWORD });
  const statuses = (await Promise.all([finish(first), finish(second)])).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, 422]);
});

test("an address is asked for in full, and only a few letters go to one", async () => {
  expect((await problemOf(await post("/api/sign-up", { email: "ada" }))).errors).toEqual([expect.objectContaining({ field: "email" })]);
  for (let n = 0; n < 10; n++) expect((await post("/api/sign-up", { email: "flood@example.com" })).status).toBe(200);
  expect((await post("/api/sign-up", { email: "flood@example.com" })).status).toBe(429);
  expect((await post("/api/sign-up", { email: "calm@example.com" })).status).toBe(200);
});

test("without mail there is no letter to wait for: the account is made at once, and an address that has one is told so", async () => {
  const mute = await openDashboardNode({ pages: false, signups: "open" });
  expect((await post("/api/sign-up", { email: "new@example.com" }, mute)).status).toBe(404);
  const signUp = () => post("/api/auth/sign-up/email", { email: "new@example.com", name: "Ada", password: PASSWORD }, mute);
  expect((await signUp()).status).toBe(200);
  expect(await mute.services.accounts.findByEmail("new@example.com")).toMatchObject({ emailVerified: false });
  expect((await signUp()).status).toBe(422);
  await mute.stop();
});

test("where people come by invitation, nobody signs up by letter", async () => {
  const closed = await openDashboardNode({ pages: false, mail: true });
  expect((await post("/api/sign-up", { email: "new@example.com" }, closed)).status).toBe(404);
  expect(
    (await post("/api/sign-up/finish", { email: "new@example.com", token: "x", name: "Eve", password: PASSWORD }, closed)).status,
  ).toBe(404);
  expect(closed.mails).toEqual([]);
  await closed.stop();
});
