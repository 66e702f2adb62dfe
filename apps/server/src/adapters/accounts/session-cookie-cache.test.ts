import { beforeEach, expect, test, vi } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, TEST_SECRET } from "#test/services";
import { openAccounts } from "./accounts.ts";
import { sessionOf, startSession } from "./sessions.ts";

const services = closedAtEnd(await openTestServices());
const { auth } = openAccounts({ pool: services.database.pool, secret: TEST_SECRET, baseUrl: "https://stet.test", signups: false });
const asked = vi.spyOn(auth.api, "getSession");
const look = (cookie: string) => sessionOf(auth, new Headers({ cookie }));
const change = (text: string) => services.database.query({ text, values: [userId] });

let userId: string;
let cookie: string;
beforeEach(async () => {
  const { id } = await services.makeAccount();
  userId = id;
  const started = await startSession(auth, id);
  cookie = started.slice(0, started.indexOf(";"));
  expect(await look(cookie)).toMatchObject({ userId });
  asked.mockClear();
});

test("a cookie that the library let in is not shown to it again, and says the same", async () => {
  const known = await look(cookie);
  expect(asked).not.toHaveBeenCalled();
  await change(`UPDATE "session" SET "expiresAt" = "expiresAt" - interval '2 days' WHERE "userId" = $1`);
  const asLibrary = await look(cookie);
  expect(asked).toHaveBeenCalledOnce();
  expect({ ...known, setCookies: [] }).toEqual({ ...asLibrary, setCookies: [] });
});

test.each([
  ["withdrawn", `DELETE FROM "session" WHERE "userId" = $1`],
  ["over", `UPDATE "session" SET "expiresAt" = now() - interval '1 second' WHERE "userId" = $1`],
  ["another one now", `UPDATE "session" SET token = 'other' || token WHERE "userId" = $1`],
  ["of a person who is gone", `DELETE FROM "user" WHERE id = $1`],
])("a session that is %s opens nothing any more, at once", async (_what, text) => {
  await change(text);
  expect(await look(cookie)).toBeNull();
  expect(await look(cookie)).toBeNull();
});

test("what changed about the person is seen at once", async () => {
  await change(`UPDATE "user" SET name = 'Renamed', "twoFactorEnabled" = true WHERE id = $1`);
  expect(await look(cookie)).toMatchObject({ name: "Renamed", twoFactorEnabled: true });
  expect(asked).not.toHaveBeenCalled();
});

test("a session in use is prolonged as before, and its new cookie is sent", async () => {
  await change(`UPDATE "session" SET "expiresAt" = now() + interval '10 days' WHERE "userId" = $1`);
  expect((await look(cookie))?.setCookies).not.toEqual([]);
  expect(await look(cookie)).toMatchObject({ userId });
});

test("a cookie with another signature is not known", async () => {
  const [name, value] = cookie.split("=") as [string, string];
  const forged = `${name}=${decodeURIComponent(value).split(".")[0]}.${"A".repeat(43)}%3D`;
  expect(await look(forged)).toBeNull();
  expect(asked).toHaveBeenCalledOnce();
});
