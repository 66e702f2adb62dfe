import type { PlanUsage } from "#domain/plans";
import type { WorkspaceId } from "#domain/ids";
import type { Platform } from "#ports/platform";

export interface Measured extends PlanUsage {
  readonly websites: readonly (PlanUsage["websites"][number] & { readonly storageBytes: number })[];
}

/** The workspace's use of everything that a plan limits. Inside a lock, `platform` is the one that holds it. */
export async function measureUsage(platform: Platform, workspaceId: WorkspaceId): Promise<Measured> {
  const stored = await platform.mediaFiles.totals(workspaceId);
  const listed = await platform.websites.list(workspaceId);
  const withOwnImages = await platform.ownImageStores.having(listed.map(({ id }) => id));
  const withOwnDatabase = await platform.ownDatabases.having(listed.map(({ id }) => id));
  const websites = [];
  for (const website of listed) {
    websites.push({
      id: website.id,
      name: website.name,
      liveKeys: await platform.keys.countLive(website.id),
      storageBytes: stored.get(website.id) ?? 0,
      ownDatabase: website.home.kind === "own" || withOwnDatabase.has(website.id),
      ownImageStore: withOwnImages.has(website.id),
    });
  }
  return { websites, storageBytes: websites.reduce((sum, website) => sum + website.storageBytes, 0) };
}

/** The UTC month that requests are counted in, such as 2026-11. */
export const monthOf = (timestamp: string): string => timestamp.slice(0, 7);
