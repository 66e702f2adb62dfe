import { expect } from "vitest";
import type { PostId, WebsiteId } from "#domain/ids";
import type { Services } from "#operations/kernel/services";
import { settlePending } from "#worker/sweeps";

/** A write as its client was told of it. */
export interface Acknowledged {
  readonly post: string;
  readonly version: number;
  /** The text that was saved with this version. */
  readonly body?: string;
  readonly event?: string;
}

/** Everything that was acknowledged is stored: the posts, their history, and their events exactly once. */
export async function expectNothingLost(services: Services, websiteId: WebsiteId, acknowledged: readonly Acknowledged[]): Promise<void> {
  const content = services.contents.managed;
  while ((await settlePending(services, content)) > 0);
  const events = await services.platform.events.list(websiteId, 0, 1_000_000);
  const told = new Set(events.map(({ event }) => `${event.postId} ${event.version} ${event.type}`));
  expect(told.size).toBe(events.length);
  for (const { post, version, body, event } of acknowledged) {
    const stored = await content.posts.get(websiteId, post as PostId);
    expect(stored?.version, `${post} has version ${version}`).toBeGreaterThanOrEqual(version);
    if (event) expect(told, `${event} of ${post} was told`).toContain(`${post} ${version} ${event}`);
    if (body === undefined) continue;
    const { rows } = await content.revisions.list(websiteId, post as PostId, { after: null, limit: 100 });
    const head = rows.find((revision) => revision.version === version);
    const kept = head && (await content.revisions.get(websiteId, post as PostId, head.id));
    expect(kept?.content.body, `version ${version} of ${post} is in the history`).toBe(body);
  }
}
