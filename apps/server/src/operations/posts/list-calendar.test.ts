import { expect, test } from "vitest";
import { DAY, HOUR, timestamp } from "#domain/time";
import { createPost } from "#operations/posts/create-post";
import { listCalendar } from "#operations/posts/list-calendar";
import { publishPost } from "#operations/posts/publish-post";
import { schedulePost } from "#operations/posts/schedule-post";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";

const services = closedAtEnd(await openTestServices());

test("a calendar holds what is planned and what appeared, and for a contributor no other's plans", async () => {
  const tenant = await services.makeTenant();
  const websiteId = tenant.website.id;
  const now = services.now.getTime();
  const make = (title: string) => services.call(createPost, tenant.actor, { websiteId, title });
  const [live, planned] = [await make("Live"), await make("Planned")];
  await make("Draft");
  await services.call(publishPost, tenant.actor, { websiteId, postId: live.id, expectedVersion: 1 });
  const at = timestamp(now + HOUR);
  await services.call(schedulePost, tenant.actor, { websiteId, postId: planned.id, expectedVersion: 1, at });
  const window = { websiteId, from: timestamp(now - DAY), to: timestamp(now + DAY) };
  expect(await services.call(listCalendar, tenant.actor, window)).toEqual({
    items: [
      { id: live.id, title: "Live", status: "published", at: timestamp(now) },
      { id: planned.id, title: "Planned", status: "scheduled", at },
    ],
    isCut: false,
  });
  const theirs = await services.call(listCalendar, await tenant.addMember("contributor"), window);
  expect(theirs.items.map(({ title }) => title)).toEqual(["Live"]);
});

test("a window is at most 62 days, and ends after it begins", async () => {
  const tenant = await services.makeTenant();
  const ask = (days: number) => {
    const from = services.now.getTime();
    const input = { websiteId: tenant.website.id, from: timestamp(from), to: timestamp(from + days * DAY) };
    return services.call(listCalendar, tenant.actor, input);
  };
  await expect(ask(62)).resolves.toMatchObject({ items: [] });
  await expect(ask(62.001)).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "to" }] });
  await expect(ask(0)).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "to" }] });
});
