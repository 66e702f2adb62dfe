import { beforeAll, expect, test, vi } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openAccounts } from "./accounts.ts";
import type { Auth } from "./auth.ts";
import { makeResetLink, sessionOf } from "./sessions.ts";

const database = closedAtEnd(await openTestDatabase());
const BASE = "http://localhost:4000";
const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another long password";
const open = () => openAccounts({ pool: database.pool, secret: "a secret of at least 32 characters", baseUrl: BASE, signups: false });
let here: ReturnType<typeof open>;
let elsewhere: ReturnType<typeof open>;
beforeAll(() => {
  [here, elsewhere] = [open(), open()];
});

const post = (auth: Auth, path: string, body: unknown, cookie = "") =>
  auth.handler(
    new Request(`${BASE}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: BASE, cookie },
      body: JSON.stringify(body),
    }),
  );
const signIn = (auth: Auth, email: string, password = PASSWORD) => post(auth, "/sign-in/email", { email, password });
const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
const isSignedIn = async (cookie: string) => (await sessionOf(here.auth, new Headers({ cookie }))) !== null;

let people = 0;
const aPerson = async () => (await here.create({ email: `p${++people}@example.com`, name: "Ada", password: PASSWORD }))!;

/** Signs in; between the look at the password and the session, `meanwhile` happens on another node. */
async function signInDuring(email: string, meanwhile: () => Promise<unknown>): Promise<Response> {
  const { password } = await here.auth.$context;
  const verify = password.verify.bind(password);
  const spy = vi.spyOn(password, "verify").mockImplementationOnce(async (given) => {
    const isRight = await verify(given);
    await meanwhile();
    return isRight;
  });
  try {
    return await signIn(here.auth, email);
  } finally {
    spy.mockRestore();
  }
}

async function changePassword(cookie: string): Promise<void> {
  const answer = await post(elsewhere.auth, "/change-password", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, cookie);
  expect(answer.status).toBe(200);
}

async function countOf(table: "session" | "verification", userId: string): Promise<number> {
  const column = table === "session" ? '"userId"' : "value";
  return (await database.pool.query(`SELECT FROM "${table}" WHERE ${column} = $1`, [userId])).rowCount!;
}

test("a sign-in that was under way while the password was changed ends without a session", async () => {
  const person = await aPerson();
  const owner = cookiesOf(await signIn(elsewhere.auth, person.email));
  const answer = await signInDuring(person.email, () => changePassword(owner));
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: "INVALID_EMAIL_OR_PASSWORD" });
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await countOf("session", person.id)).toBe(1);
  expect((await signIn(here.auth, person.email, NEW_PASSWORD)).status).toBe(200);
});

test("nor does one that was under way while the password was replaced by a link", async () => {
  const person = await aPerson();
  await makeResetLink(elsewhere.auth, BASE, person.id, "a-token");
  const answer = await signInDuring(person.email, () =>
    post(elsewhere.auth, "/reset-password", { token: "a-token", newPassword: NEW_PASSWORD }),
  );
  expect(answer.status).toBe(401);
  expect(await countOf("session", person.id)).toBe(0);
});

test("with a second factor it does not come as far as the code", async () => {
  const person = await aPerson();
  const owner = cookiesOf(await signIn(elsewhere.auth, person.email));
  await database.pool.query(`UPDATE "user" SET "twoFactorEnabled" = true WHERE id = $1`, [person.id]);
  const answer = await signInDuring(person.email, () => changePassword(owner));
  expect(answer.status).toBe(401);
  expect(await countOf("verification", person.id)).toBe(0);
});

test("a sign-in beside which nothing happens, or somebody else's password changes, has its session", async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  const owner = cookiesOf(await signIn(elsewhere.auth, other.email));
  const answer = await signInDuring(person.email.toUpperCase(), () => changePassword(owner));
  expect(answer.status).toBe(200);
  expect(await isSignedIn(cookiesOf(answer))).toBe(true);
});
