import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { aKey, moment, settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);

test("a key comes back as it was made, by its hash and by its id in its own website", async () => {
  const { website } = await settle(platform);
  const other = await settle(platform);
  const key = aKey(website.id, { monthlyCap: 5_000_000_000, createdBy: null });
  await platform.keys.create(key);
  expect(await platform.keys.findByHash(key.hash)).toEqual(key);
  expect(await platform.keys.findByHash(`${key.hash}x`)).toBeNull();
  expect(await platform.keys.get(website.id, key.id)).toEqual(key);
  expect(await platform.keys.get(other.website.id, key.id)).toBeNull();
});

test("live keys come first, newest first, then the revoked ones", async () => {
  const { website } = await settle(platform);
  const [a, b, c, d] = [0, 10, 20, 30].map((seconds) => aKey(website.id, { createdAt: moment(seconds) }));
  for (const key of [a!, b!, c!, d!]) await platform.keys.create(key);
  await platform.keys.revoke(website.id, d!.id, moment(40));
  await platform.keys.revoke(website.id, b!.id, moment(50));
  expect((await platform.keys.list(website.id)).map((key) => key.id)).toEqual([c!.id, a!.id, d!.id, b!.id]);
  expect(await platform.keys.countLive(website.id)).toBe(2);
});

test("revoking is seen by the next look-up and keeps its first moment", async () => {
  const { website } = await settle(platform);
  const key = aKey(website.id);
  await platform.keys.create(key);
  await platform.keys.revoke(website.id, key.id, moment(1));
  await platform.keys.revoke(website.id, key.id, moment(2));
  expect(await platform.keys.findByHash(key.hash)).toEqual({ ...key, revokedAt: moment(1) });
});

test("name, origins and cap can be changed; another website's id changes nothing", async () => {
  const { website } = await settle(platform);
  const other = await settle(platform);
  const key = aKey(website.id);
  await platform.keys.create(key);
  const change = { name: "Renamed", origins: ["http://localhost:3000"], monthlyCap: 100 };
  await platform.keys.update(other.website.id, key.id, change);
  await platform.keys.revoke(other.website.id, key.id, moment());
  expect(await platform.keys.get(website.id, key.id)).toEqual(key);
  await platform.keys.update(website.id, key.id, change);
  expect(await platform.keys.get(website.id, key.id)).toEqual({ ...key, ...change });
  await platform.keys.update(website.id, key.id, { ...change, origins: [], monthlyCap: null });
  expect(await platform.keys.get(website.id, key.id)).toMatchObject({ origins: [], monthlyCap: null });
});

test("two keys can never have the same hash", async () => {
  const { website } = await settle(platform);
  const key = aKey(website.id);
  await platform.keys.create(key);
  await expect(platform.keys.create(aKey(website.id, { hash: key.hash }))).rejects.toThrow(/api_keys_by_hash/);
});
