import { expect, test } from "vitest";
import { toolActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { listPeople } from "#operations/members/list-people";
import { removeMember } from "#operations/members/remove-member";
import { createPost } from "#operations/posts/create-post";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";

const services = closedAtEnd(await openTestServices());

test("members are named, and former ones who left traces; never anybody else's account", async () => {
  const tenant = await services.makeTenant();
  const other = await services.makeTenant();
  const { workspace, website } = tenant;
  const author = await tenant.addMember("author");
  const former = await tenant.addMember("editor");
  const idle = await tenant.addMember("editor");
  await services.call(createPost, former, { websiteId: website.id, title: "Left behind" });
  for (const { userId } of [former, idle]) await services.call(removeMember, tenant.actor, { workspaceId: workspace.id, userId });
  const input = { workspaceId: workspace.id, userIds: [former.userId, idle.userId, other.owner.id, newId("user")] };
  const people = await services.call(listPeople, tenant.actor, input);
  expect(people.map(({ userId, isMember }) => [userId, isMember]).toSorted()).toEqual(
    [
      [tenant.owner.id, true],
      [author.userId, true],
      [former.userId, false],
    ].toSorted(),
  );
  expect(people.every(({ name, email }) => name !== "" && email !== null)).toBe(true);
  const seen = await services.call(listPeople, author, input);
  expect(seen.filter(({ email }) => email !== null).map(({ userId }) => userId)).toEqual([author.userId]);
  const tool = toolActor(tenant.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: false, publishPerHour: 30 });
  expect((await services.call(listPeople, tool, input)).every(({ email }) => email === null)).toBe(true);
});
