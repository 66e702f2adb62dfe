import { getMigrations } from "better-auth/db/migration";
import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { isId, newId } from "#domain/ids";
import { isTimestamp } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openAccounts } from "./accounts.ts";
import { authSettings, type AuthOptions } from "./auth.ts";
import { turnOffSecondFactor } from "./second-factor.ts";
import { answerOf, sessionOf } from "./sessions.ts";

const database = closedAtEnd(await openTestDatabase());
let options: AuthOptions;
let accounts: ReturnType<typeof openAccounts>;
beforeAll(async () => {
  options = { pool: database.pool, secret: "a secret of at least 32 characters", baseUrl: "http://localhost:4000", signups: false };
  accounts = openAccounts(options);
});

const PASSWORD = "correct horse battery";
let people = 0;
const aPerson = () => ({ email: `person-${++people}@example.com`, name: "Ada", password: PASSWORD });

const post = (auth: typeof accounts.auth, path: string, body: unknown) =>
  auth.handler(
    new Request(`http://localhost:4000/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://localhost:4000" },
      body: JSON.stringify(body),
    }),
  );

/** Signs in over the library's own endpoint and answers the cookie. */
async function cookieOf(person: { email: string; password: string }): Promise<string> {
  const response = await post(accounts.auth, "/sign-in/email", { email: person.email, password: person.password });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

test("the auth library finds nothing to add to our tables, two-factor and passkeys included", async () => {
  const warnings: string[] = [];
  const plan = await getMigrations({
    ...authSettings(options),
    logger: { level: "warn", log: (_level, message) => warnings.push(message) },
  });
  expect(plan.toBeCreated).toEqual([]);
  expect(plan.toBeAdded).toEqual([]);
  expect(plan.toBeAddedIndexes).toEqual([]);
  expect(plan.schemaProblems).toEqual([]);
  expect(warnings).toEqual([]);
});

test("an account has an id of ours, and is found by id and by address", async () => {
  const person = aPerson();
  const account = await accounts.create(person);
  expect(account).toEqual({
    id: expect.any(String),
    email: person.email,
    emailVerified: false,
    name: "Ada",
    createdAt: expect.any(String),
  });
  expect(isId("user", account!.id)).toBe(true);
  expect(isTimestamp(account!.createdAt)).toBe(true);
  expect(await accounts.get(account!.id)).toEqual(account);
  expect(await accounts.findByEmail(person.email)).toEqual(account);
  expect(await accounts.get(newId("user"))).toBeNull();
  expect(await accounts.findByEmail("nobody@example.com")).toBeNull();
  expect(await accounts.findByEmail("not an address")).toBeNull();
});

test("several are read at once, those that exist", async () => {
  const made = [await accounts.create(aPerson()), await accounts.create(aPerson())];
  expect(await accounts.getMany([made[1]!.id, newId("user"), made[0]!.id])).toEqual(made);
  expect(await accounts.getMany([])).toEqual([]);
});

test("an address has one account, however it is written, and the second try changes nothing", async () => {
  const person = aPerson();
  const account = await accounts.create({ ...person, email: ` ${person.email.toUpperCase()} ` });
  expect(account?.email).toBe(person.email);
  expect(await accounts.create({ ...person, password: "another password" })).toBeNull();
  expect(await accounts.findByEmail(person.email.toUpperCase())).toEqual(account);
  expect(await accounts.verifyPassword(account!.id, PASSWORD)).toBe(true);
});

test("of many who take one address at once exactly one gets it, with a password", async () => {
  const person = aPerson();
  const results = await Promise.all(Array.from({ length: 5 }, () => accounts.create(person)));
  const [account, ...others] = results.filter((result) => result !== null);
  expect(others).toEqual([]);
  expect(await accounts.verifyPassword(account!.id, PASSWORD)).toBe(true);
});

test("only the account's own password is its password", async () => {
  const account = await accounts.create(aPerson());
  expect(await accounts.verifyPassword(account!.id, PASSWORD)).toBe(true);
  expect(await accounts.verifyPassword(account!.id, `${PASSWORD} `)).toBe(false);
  expect(await accounts.verifyPassword(account!.id, "")).toBe(false);
  expect(await accounts.verifyPassword(account!.id, "x".repeat(1_000_000))).toBe(false);
  expect(await accounts.verifyPassword(newId("user"), PASSWORD)).toBe(false);
});

test("a password of 10 to 128 characters and a real address are asked for, each fault by its field", async () => {
  const fault = (field: string) => expect.objectContaining({ code: "VALIDATION_FAILED", errors: [expect.objectContaining({ field })] });
  await expect(accounts.create({ ...aPerson(), password: "x".repeat(9) })).rejects.toEqual(fault("password"));
  await expect(accounts.create({ ...aPerson(), password: "x".repeat(129) })).rejects.toEqual(fault("password"));
  await expect(accounts.create({ ...aPerson(), email: "ada" })).rejects.toEqual(fault("email"));
  expect(await accounts.create({ ...aPerson(), password: "x".repeat(128) })).not.toBeNull();
});

test("an account made here signs in through the auth library", async () => {
  const person = aPerson();
  const account = await accounts.create(person);
  const cookie = await cookieOf(person);
  const session = await accounts.auth.api.getSession({ headers: new Headers({ cookie }) });
  expect(session?.user.id).toBe(account!.id);
  expect(session?.session.expiresAt).toBeInstanceOf(Date);
  const wrong = await post(accounts.auth, "/sign-in/email", { email: person.email, password: "a wrong password" });
  expect(wrong.status).toBe(401);
});

test("a session ends at its time, and at once when it is withdrawn", async () => {
  const person = aPerson();
  await accounts.create(person);
  const sessionOf = (cookie: string) => accounts.auth.api.getSession({ headers: new Headers({ cookie }) });
  const expiring = await cookieOf(person);
  const withdrawn = await cookieOf(person);
  const expiringId = (await sessionOf(expiring))!.session.id;
  await database.query({ text: `UPDATE "session" SET "expiresAt" = now() - interval '1 second' WHERE id = $1`, values: [expiringId] });
  expect(await sessionOf(expiring)).toBeNull();
  expect(await sessionOf(withdrawn)).not.toBeNull();
  await database.query({ text: `DELETE FROM "session"` });
  expect(await sessionOf(withdrawn)).toBeNull();
});

test("a second factor that was lost is turned off for its account, and for no other", async () => {
  const [person, other] = [aPerson(), aPerson()];
  for (const each of [person, other]) {
    const { id } = (await accounts.create(each))!;
    await database.query({
      text: `INSERT INTO "twoFactor" (id, secret, "backupCodes", "userId") VALUES ($1, 'secret', 'codes', $2)`,
      values: [crypto.randomUUID(), id],
    });
    await database.query({ text: `UPDATE "user" SET "twoFactorEnabled" = true WHERE id = $1`, values: [id] });
  }
  const asksForMore = async ({ email, password }: { email: string; password: string }) =>
    "twoFactorRedirect" in ((await (await post(accounts.auth, "/sign-in/email", { email, password })).json()) as object);
  expect([await asksForMore(person), await asksForMore(other)]).toEqual([true, true]);
  await turnOffSecondFactor(accounts.auth, (await accounts.findByEmail(person.email))!.id);
  expect([await asksForMore(person), await asksForMore(other)]).toEqual([false, true]);
});

test("a connection to a server that takes no writes any more keeps nobody from signing in twice", async () => {
  const person = aPerson();
  await accounts.create(person);
  const pool = new pg.Pool({ ...database.pool.options, max: 1 });
  // As one that was opened while its name led to the replica.
  await pool.query("SET default_transaction_read_only = on");
  const { auth } = openAccounts({ ...options, pool });
  const signIn = () => post(auth, "/sign-in/email", { email: person.email, password: person.password });
  await expect(signIn()).rejects.toMatchObject({ code: "25006" });
  expect((await signIn()).status).toBe(200);
  await pool.end();
});

test("while the database is away nobody is told that they are signed out", async () => {
  const person = aPerson();
  await accounts.create(person);
  const pool = new pg.Pool(database.pool.options);
  const { auth } = openAccounts({ ...options, pool });
  const request = new Request("http://localhost:4000/api/auth/list-sessions", { headers: { cookie: await cookieOf(person) } });
  expect((await answerOf(auth, request)).status).toBe(200);
  await pool.end();
  await expect(answerOf(auth, request)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("strangers make accounts over the library's endpoint only where that is switched on", async () => {
  const closed = await post(accounts.auth, "/sign-up/email", aPerson());
  expect(closed.status).toBe(400);
  const person = aPerson();
  const open = openAccounts({ ...options, signups: true });
  const answer = await post(open.auth, "/sign-up/email", { ...person, email: person.email.toUpperCase() });
  expect(answer.status).toBe(200);
  const account = await accounts.findByEmail(person.email);
  expect(isId("user", account!.id)).toBe(true);
  expect(await accounts.verifyPassword(account!.id, PASSWORD)).toBe(true);
  const short = await post(open.auth, "/sign-up/email", { ...aPerson(), password: "x".repeat(9) });
  expect(short.status).toBe(400);
});

test("what a stranger sends writes no line into the log; what fails on our side is told to ours, and never printed", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const troubles: unknown[] = [];
  const pool = new pg.Pool(database.pool.options);
  const { auth } = openAccounts({ ...options, pool, onTrouble: (_message, error) => troubles.push(error) });
  const wrong = await post(auth, "/sign-in/email", { email: "a@example.com", password: "x" });
  const unreadable = await post(auth, "/sign-in/email", { email: ["\n"], password: "x" });
  expect([wrong.status, unreadable.status]).toEqual([401, 400]);
  expect(troubles).toEqual([]);
  const person = aPerson();
  await accounts.create(person);
  const cookie = await cookieOf(person);
  await pool.end();
  const ended = { message: expect.stringContaining("after calling end") as string };
  await expect(post(auth, "/sign-in/email", { email: person.email, password: "x" })).rejects.toMatchObject(ended);
  await expect(sessionOf(auth, new Headers({ cookie }))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(troubles).toEqual([expect.objectContaining(ended)]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});
