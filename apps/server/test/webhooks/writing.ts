import type { EventType } from "@stet/contract";
import { operations as posts } from "#operations/posts/index";
import { operations as webhooks } from "#operations/webhooks/index";
import type { Tenant, TestServices } from "#test/services";

/** What tests of webhooks do in a tenant, as its owner. */
export function writingIn(services: TestServices, tenant: Tenant) {
  const here = { websiteId: tenant.website.id };
  let made = 0;
  return {
    here,
    async publish(title = `Post ${++made}`, more: Record<string, unknown> = {}) {
      const post = await services.call(posts.create_post, tenant.actor, { ...here, title, ...more });
      return services.call(posts.publish_post, tenant.actor, { ...here, postId: post.id, expectedVersion: post.version });
    },
    async update(post: { id: string; version: number }, change: Record<string, unknown>) {
      const edited = await services.call(posts.edit_post, tenant.actor, {
        ...here,
        postId: post.id,
        expectedVersion: post.version,
        ...change,
      });
      return services.call(posts.update_live_post, tenant.actor, { ...here, postId: post.id, expectedVersion: edited.version });
    },
    remove: (post: { id: string; version: number }) =>
      services.call(posts.delete_post, tenant.actor, { ...here, postId: post.id, expectedVersion: post.version }),
    addEndpoint: (url: string, more: { events?: readonly EventType[]; debounceSeconds?: number } = {}) =>
      services.call(webhooks.create_webhook, tenant.actor, { ...here, url, ...more }),
    async endpoint(id: string) {
      const found = (await services.call(webhooks.list_webhooks, tenant.actor, here)).find((webhook) => webhook.id === id);
      if (!found) throw new Error(`There is no endpoint ${id}.`);
      return found;
    },
    deliveries: async (filter: Record<string, unknown> = {}) =>
      (await services.call(webhooks.list_deliveries, tenant.actor, { ...here, limit: 100, ...filter })).items,
    act: <Name extends keyof typeof webhooks>(name: Name, input: Record<string, unknown>) =>
      services.call(webhooks[name], tenant.actor, { ...here, ...input }),
    events: async () => (await services.platform.events.list(tenant.website.id, 0, 1_000)).map(({ event }) => event),
  };
}

export type Writing = ReturnType<typeof writingIn>;
