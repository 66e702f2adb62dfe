import type { PlanUsage } from "#domain/plans";
import type { WorkspaceId } from "#domain/ids";
import type { Platform } from "#ports/platform";

export interface Measured extends PlanUsage {
  readonly websites: readonly (PlanUsage["websites"][number] & { readonly storageBytes: number })[];
}

/** The workspace's use of everything that a plan limits. Inside a lock, `platform` is the one that holds it. */
export async function measureUsage(platform: Platform, workspaceId: WorkspaceId): Promise<Measured> {
  const stored = await platform.mediaFiles.totals(workspaceId);
  const websites = [];
  for (const website of await platform.websites.list(workspaceId)) {
    websites.push({
      id: website.id,
      name: website.name,
      liveKeys: await platform.keys.countLive(website.id),
      storageBytes: stored.get(website.id) ?? 0,
      // Every website lives in the install's own stores so far.
      ownDatabase: false,
      ownImageStore: false,
    });
  }
  return { websites, storageBytes: websites.reduce((sum, website) => sum + website.storageBytes, 0) };
}

/** The UTC month that requests are counted in, such as 2026-11. */
export const monthOf = (timestamp: string): string => timestamp.slice(0, 7);
