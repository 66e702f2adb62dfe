import { type DiskLevel, diskWords, isWorse } from "#domain/disk-space";
import { timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

/** The worst level that this node has told the owners since there was enough room. */
const told = new WeakMap<Services, DiskLevel>();

/**
 * Looks after the disk of this node, and tells the owners of the install when room runs out: those of its oldest workspace, which
 * is the one that the setup link made. Everybody else who owns a workspace sees it on Home.
 */
export async function watchDisk(services: Services): Promise<number> {
  const reading = await services.disk.tend();
  const { level, freeBytes } = reading;
  if (level === "ok") told.delete(services);
  if (!isWorse(level, told.get(services) ?? "ok")) return 0;
  const workspace = await services.platform.workspaces.oldest();
  const now = services.clock();
  if (workspace) {
    await services.notices.tell({
      workspaceId: workspace.id,
      websiteId: null,
      job: "disk",
      at: timestamp(now),
      kind: "disk_space",
      target: { id: workspace.id, label: workspace.name },
      details: { level, freeBytes, ...diskWords(reading, services.disk.hasDatabase) },
      // Once a day for each level, however often it comes and goes.
      key: `${level}:${timestamp(now).slice(0, 10)}`,
    });
  }
  told.set(services, level);
  return 0;
}
