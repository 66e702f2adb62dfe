import { expect, test } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));

test("a command line that is disconnected while it waits for events hears of none", async () => {
  const password = "correct horse battery";
  const { id } = await node.call(registry.create_account, systemActor("test"), { email: "ada@example.com", name: "Ada", password });
  const actor = userActor(id);
  const { id: workspaceId } = await node.call(registry.create_workspace, actor, { name: "Garden" });
  const { id: websiteId } = await node.call(registry.create_website, actor, { workspaceId, name: "Blog" });
  const { id: postId } = await node.call(registry.create_post, actor, { websiteId, title: "News" });
  const { token, connection } = await node.call(registry.create_ci_credential, actor, { name: "CI", workspaces: workspaceId, password });
  const events = (after = "") =>
    fetch(`${node.url}/api/cli/events?website=${websiteId}${after}`, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await (await events()).json()) as { data: { after: number } };

  const { signals } = node.services;
  const isWaiting = Promise.withResolvers<void>();
  const subscribe = signals.subscribe.bind(signals);
  Object.assign(signals, {
    subscribe: (listener: Parameters<typeof subscribe>[0]) => {
      isWaiting.resolve();
      return subscribe(listener);
    },
  });
  const answer = events(`&after=${data.after}`);
  await isWaiting.promise;
  await node.services.connections.revoke(connection.id, node.services.now.toISOString() as typeof connection.createdAt);
  await node.call(registry.publish_post, actor, { websiteId, postId, expectedVersion: 1 });
  expect((await answer).status).toBe(401);
});
