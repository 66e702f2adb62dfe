import { beforeAll, expect, test } from "vitest";
import { SECOND, timestamp } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { changeRole } from "../members/change-role.ts";
import { removeMember } from "../members/remove-member.ts";
import { seedWebsite } from "../sample/seed-website.ts";
import { exportWebsite } from "./export-website.ts";
import { importWebsite } from "./import-website.ts";

const services = closedAtEnd(await openTestServices());
let lines: string[];
beforeAll(async () => {
  const tenant = await services.makeTenant();
  await services.call(seedWebsite, tenant.actor, { websiteId: tenant.website.id, posts: 2 });
  lines = [];
  for await (const line of (await services.call(exportWebsite, tenant.actor, { websiteId: tenant.website.id })).lines) lines.push(line);
});

/** What ends the right of an admin, a second before the next part comes. */
const ENDINGS = [
  [
    "removed",
    "NOT_FOUND",
    ({ actor, workspace }: Tenant, userId: string) => services.call(removeMember, actor, { workspaceId: workspace.id, userId }),
  ],
  [
    "given a smaller role",
    "INSUFFICIENT_ROLE",
    ({ actor, workspace }: Tenant, userId: string) =>
      services.call(changeRole, actor, { workspaceId: workspace.id, userId, role: "editor" }),
  ],
  [
    "left without the website",
    "NOT_FOUND",
    ({ website }: Tenant) => services.platform.websites.markDeleted(website.id, timestamp(services.now)),
  ],
] as const;

test.each(ENDINGS)("an admin who is %s while an import is being sent imports no more of it", async (_, code, end) => {
  const tenant = await services.makeTenant();
  const admin = await tenant.addMember("admin");
  const last = lines.findLastIndex((line) => line.startsWith('{"type":"post"'));
  async function* source() {
    yield* lines.slice(0, last);
    await end(tenant, admin.userId);
    services.pass(SECOND);
    yield* lines.slice(last);
  }
  const importing = services.call(importWebsite, admin, { websiteId: tenant.website.id, source: source() });
  await expect(importing).rejects.toMatchObject({ code });
  const { id } = JSON.parse(lines[last]!) as { id: never };
  expect(await services.contentOf(tenant.website).posts.get(tenant.website.id, id)).toBeNull();
});

test.each(ENDINGS)("an admin who is %s while an export is being taken gets no more of it", async (_, code, end) => {
  const tenant = await services.makeTenant();
  const admin = await tenant.addMember("admin");
  const { lines: taken } = await services.call(exportWebsite, admin, { websiteId: tenant.website.id });
  const parts = taken[Symbol.asyncIterator]();
  expect(await parts.next()).toMatchObject({ done: false });
  await end(tenant, admin.userId);
  services.pass(SECOND);
  await expect(parts.next()).rejects.toMatchObject({ code });
});
