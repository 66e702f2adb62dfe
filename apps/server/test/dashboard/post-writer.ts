import type { Page } from "playwright-core";
import { DAY, type Timestamp, timestamp } from "#domain/time";
import type { DashboardNode, Person } from "#test/dashboard-node";
import type { Tenant } from "#test/services";

export const inDays = (days: number): Timestamp => timestamp(Date.now() + days * DAY);

/** Writes posts of every state as one person. */
export async function postWriter(node: DashboardNode, { website: { id: websiteId }, owner }: Tenant, person: Person = owner) {
  const cookie = await node.signIn(person);
  const at = (post: { id: string; version: number }) => ({ websiteId, postId: post.id, expectedVersion: post.version });
  const draft = (title: string, more: object = {}) => node.rpc(cookie, "create_post", { websiteId, title, body: "Some words.", ...more });
  const published = async (title: string, more: object = {}) => node.rpc(cookie, "publish_post", at(await draft(title, more)));
  return {
    cookie,
    websiteId,
    at,
    draft,
    published,
    scheduled: async (title: string, when = inDays(3)) => node.rpc(cookie, "schedule_post", { ...at(await draft(title)), at: when }),
    unpublished: async (title: string) => node.rpc(cookie, "unpublish_post", at(await published(title))),
    trashed: async (title: string) => node.rpc(cookie, "delete_post", at(await draft(title))),
    statusOf: async (post: { id: string }) => (await node.rpc(cookie, "get_post", { websiteId, postId: post.id })).status,
  };
}
export type PostWriter = Awaited<ReturnType<typeof postWriter>>;

/** The titles that the table of posts shows, once it shows the answer to what was asked last. */
export async function titlesOn(page: Page): Promise<string[]> {
  await page.locator('[role="table"][aria-busy="false"]').waitFor();
  return page.locator("[data-open]").allTextContents();
}
