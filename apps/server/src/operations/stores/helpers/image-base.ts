import type { WebsiteId } from "#domain/ids";
import type { Platform } from "#ports/platform";
import type { Services } from "../../kernel/services.ts";

/** Answers show originals at the store's own address when its owner chose so and every image lies there, and not one moment before. */
export async function applyImageBase(platform: Platform, websiteId: WebsiteId): Promise<void> {
  const store = await platform.ownImageStores.get(websiteId);
  const isChosen = store?.state === "active" && store.usesPublicBase;
  const isThere = isChosen && (await platform.mediaFiles.sums(websiteId)).managed.files === 0;
  await platform.websites.setImageBase(websiteId, isThere ? store.publicBase : null);
}

/** The same for a job. Under the lock that uploads take, so that none of them is on its way to another store. */
export async function settleImageBase(services: Pick<Services, "platform" | "signals">, websiteId: WebsiteId): Promise<void> {
  const { platform, signals } = services;
  const website = await platform.websites.get(websiteId);
  if (!website) return;
  await platform.locked(website.workspaceId, (locked) => applyImageBase(locked, websiteId));
  for (const topic of ["access", "content"] as const) await signals.tellHere({ topic, id: websiteId });
}
