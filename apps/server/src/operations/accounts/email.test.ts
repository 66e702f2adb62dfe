import { beforeEach, expect, test } from "vitest";
import { userActor } from "#domain/actor";
import type { Account } from "#ports/accounts";
import type { Mail } from "#ports/mailer";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { changeEmail } from "./change-email.ts";
import { confirmEmail } from "./confirm-email.ts";
import { sendEmailProof } from "./send-email-proof.ts";

const PASSWORD = "correct horse battery";
const mails: Mail[] = [];
let isDown = false;
const mailer = {
  isConfigured: true,
  async send(mail: Mail) {
    if (isDown) throw new Error("The mail server is down.");
    mails.push(mail);
  },
};
const services = closedAtEnd(await openTestServices({ mailer }));
const withoutMail = closedAtEnd(await openTestServices());

let people = 0;
const aPerson = async (of = services, emailVerified = false): Promise<Account> =>
  (await of.accounts.create({ email: `person-${++people}@example.com`, name: "Ada", password: PASSWORD, emailVerified }))!;
const lettersTo = (email: string) => mails.filter(({ to }) => to === email);
const linkTo = (email: string) => new URL(/https:\S+confirm-email\S+/.exec(lettersTo(email).at(-1)!.text)![0]);
const tokenTo = (email: string) => linkTo(email).searchParams.get("token")!;
const change = (person: Account, email: string, password = PASSWORD, of = services) =>
  of.call(changeEmail, userActor(person.id), { email, password });
const confirm = (person: Account, email: string, token: string) => services.call(confirmEmail, userActor(person.id), { email, token });
const NOTHING = expect.objectContaining({ code: "NOT_FOUND" });
const fault = (field: string) => expect.objectContaining({ code: "VALIDATION_FAILED", errors: [expect.objectContaining({ field })] });

beforeEach(() => {
  mails.length = 0;
  isDown = false;
});

test("a new address becomes the account's when its letter is answered, once, and the old address is told before", async () => {
  const person = await aPerson();
  expect(await change(person, " NEW-1@Example.com ")).toEqual({ email: "new-1@example.com", outcome: "mailed" });
  expect(await services.accounts.get(person.id)).toMatchObject({ email: person.email, emailVerified: false });
  expect(lettersTo(person.email)[0]).toMatchObject({ text: expect.stringContaining("change its email address to new-1@example.com") });
  expect(linkTo("new-1@example.com").searchParams.get("email")).toBe("new-1@example.com");
  const token = tokenTo("new-1@example.com");
  expect(await confirm(person, "new-1@example.com", token)).toEqual({ email: "new-1@example.com" });
  expect(await services.accounts.get(person.id)).toMatchObject({ email: "new-1@example.com", emailVerified: true });
  await expect(confirm(person, "new-1@example.com", token)).rejects.toEqual(NOTHING);
});

test("a letter proves its own address for its own account only, and whoever opens it elsewhere does not spoil it", async () => {
  const [person, stranger] = [await aPerson(), await aPerson()];
  await change(person, "new-2@example.com");
  const token = tokenTo("new-2@example.com");
  await expect(confirm(person, "another@example.com", token)).rejects.toEqual(NOTHING);
  await expect(confirm(stranger, "new-2@example.com", token)).rejects.toEqual(NOTHING);
  await expect(confirm(person, "new-2@example.com", `${token.slice(0, -2)}xx`)).rejects.toEqual(NOTHING);
  await expect(confirm(person, "new-2@example.com", token)).resolves.toBeDefined();
});

test("a letter is void after an hour, and its token is stored nowhere", async () => {
  const person = await aPerson();
  await change(person, "new-3@example.com");
  const token = tokenTo("new-3@example.com");
  const { rows } = await services.database.pool.query(`SELECT row_to_json(verification)::text AS row FROM verification`);
  expect(JSON.stringify(rows)).not.toContain(token);
  await services.database.query({ text: `UPDATE verification SET "expiresAt" = now() - interval '1 second'` });
  await expect(confirm(person, "new-3@example.com", token)).rejects.toEqual(NOTHING);
});

test("without the password nothing is sent", async () => {
  const person = await aPerson();
  await expect(change(person, "new-4@example.com", "not the password")).rejects.toEqual(fault("password"));
  await expect(change(person, person.email)).rejects.toEqual(fault("email"));
  expect(mails).toEqual([]);
});

test("whether an address has an account is told to its owner only", async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  expect(await change(person, other.email)).toEqual({ email: other.email, outcome: "mailed" });
  expect(lettersTo(other.email).map(({ subject }) => subject)).toEqual(["Someone tried to use your email address"]);
  expect(lettersTo(other.email)[0]!.text).not.toContain("token");
});

test("of two who were mailed the same address the first to answer has it", async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  await change(person, "new-5@example.com");
  const first = tokenTo("new-5@example.com");
  await change(other, "new-5@example.com");
  await confirm(other, "new-5@example.com", tokenTo("new-5@example.com"));
  await expect(confirm(person, "new-5@example.com", first)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  expect(await services.accounts.get(person.id)).toMatchObject({ email: person.email });
});

test("a letter that cannot be sent changes nothing and says so; a notice that cannot be sent holds nothing up", async () => {
  const person = await aPerson();
  isDown = true;
  await expect(change(person, "new-6@example.com")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(services.call(sendEmailProof, userActor(person.id), {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("the address that an account has is confirmed by a letter too, once", async () => {
  const person = await aPerson();
  await services.call(sendEmailProof, userActor(person.id), {});
  await confirm(person, person.email, tokenTo(person.email));
  expect(await services.accounts.get(person.id)).toMatchObject({ email: person.email, emailVerified: true });
  await expect(services.call(sendEmailProof, userActor(person.id), {})).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("without mail the address changes at once and is not confirmed; one that is taken is refused", async () => {
  const [person, other] = [await aPerson(withoutMail, true), await aPerson(withoutMail)];
  expect(await change(person, "new-7@example.com", PASSWORD, withoutMail)).toEqual({ email: "new-7@example.com", outcome: "changed" });
  expect(await withoutMail.accounts.get(person.id)).toMatchObject({ email: "new-7@example.com", emailVerified: false });
  await expect(change(person, other.email, PASSWORD, withoutMail)).rejects.toEqual(fault("email"));
  await expect(withoutMail.call(sendEmailProof, userActor(person.id), {})).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});
