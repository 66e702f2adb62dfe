import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { DAY, timestamp } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { forgetReaderDays } from "./forget-readers.ts";

const services = closedAtEnd(await openTestServices());

test("what was read on which day is known for 400 days, how often a post was read for ever", async () => {
  const [websiteId, postId] = [newId("website"), newId("post")];
  const { readers, now } = services;
  const read = (visitor: string) =>
    readers.add([{ websiteId, postId, at: timestamp(services.now), referrer: "a.example", visitors: [visitor] }]);
  await read("first");
  services.pass(DAY);
  await read("second");
  services.pass(399 * DAY);
  expect(await forgetReaderDays(services)).toBe(0);
  services.pass(DAY);
  expect(await forgetReaderDays(services)).toBe(1);
  expect(await forgetReaderDays(services)).toBe(0);
  const left = timestamp(now.getTime() + DAY).slice(0, 10);
  expect(await readers.perDayOfPost(websiteId, postId, "2000-01-01")).toEqual([{ day: left, views: 1 }]);
  expect(await readers.perDay(websiteId, "2000-01-01")).toEqual([{ day: left, views: 1 }]);
  expect(await readers.referrers(websiteId, "2000-01-01", 9)).toEqual([{ referrer: "a.example", views: 1 }]);
  expect(await readers.ofPost(websiteId, postId, [null])).toEqual([2]);
});
