import { expect, test } from "vitest";
import { DAY } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { forgetTraffic } from "./forget-traffic.ts";

const services = closedAtEnd(await openTestServices());

test("traffic by endpoint and day is known for 400 days, the requests of a month for ever", async () => {
  const { website, workspace } = await services.makeTenant();
  const { usage } = services.platform;
  const answer = (day: string, statusClass: number) => ({
    workspaceId: workspace.id,
    websiteId: website.id,
    keyId: null,
    day,
    route: "/blog/posts",
    statusClass,
    requests: 3,
    counted: 3,
  });
  await usage.add([answer("2026-11-14", 2), answer("2026-11-14", 4), answer("2026-11-15", 2)]);
  services.pass(399 * DAY);
  expect(await forgetTraffic(services)).toBe(0);
  services.pass(DAY);
  expect(await forgetTraffic(services)).toBe(2);
  expect(await forgetTraffic(services)).toBe(0);
  expect(await usage.traffic(website.id, "2000-01-01")).toEqual([{ day: "2026-11-15", route: "/blog/posts", statusClass: 2, requests: 3 }]);
  expect(await usage.requests(workspace.id, "2026-11")).toBe(9);
});
