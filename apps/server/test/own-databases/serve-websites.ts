import { makeApiKey, maskApiKey } from "#domain/api-key";
import { newId, type WebsiteId } from "#domain/ids";
import { NO_TROUBLE } from "#domain/own-database";
import { timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { eachOf } from "#operations/kernel/each-of";
import type { Services } from "#operations/kernel/services";
import { sealConnection } from "#operations/own-database/helpers/connection";
import { buildPublishedPost } from "#test/builders";
import { type ServiceProcess, startService } from "#test/service-process";

export interface ServedWebsite {
  readonly id: WebsiteId;
  readonly key: string;
}

/**
 * The service in a process of its own, with websites whose content lies in these databases; nothing was moved there. With null, it lies with
 * the service, which has the posts then that the others answer with.
 */
export async function serveWebsites(
  env: Readonly<Record<string, string>>,
  urls: readonly (string | null)[],
): Promise<{ readonly service: ServiceProcess; readonly websites: readonly ServedWebsite[] }> {
  const installation = await openInstallation(readConfig(env), createLog("error", process.stderr), { role: "command", report: () => {} });
  let websites: readonly ServedWebsite[];
  try {
    const { services } = installation;
    const account = { email: "owner@example.com", password: "a password for websites" };
    const first = { ...account, workspace: "Many", website: "First", plan: "unlimited", posts: 0, json: true } as const;
    const { websiteId } = await runBootstrap(services, first, () => {});
    const like = (await services.platform.websites.get(websiteId as WebsiteId))!;
    websites = urls.map(() => ({ id: newId("website", Date.now()), key: makeApiKey() }));
    await eachOf(urls.entries(), 8, ([n, url]) =>
      makeWebsite(services, { ...like, id: websites[n]!.id, name: `Website ${n}` }, websites[n]!.key, url),
    );
  } finally {
    await installation.close();
  }
  return { websites, service: await startService({ ...env, STET_LOG: "error" }) };
}

/** As the operations create it, without their locks and log: there are many. */
async function makeWebsite(services: Services, website: Website, key: string, url: string | null): Promise<void> {
  const { platform, keyring, contents } = services;
  await platform.websites.create(website);
  await platform.keys.create({
    id: newId("key", Date.now()),
    websiteId: website.id,
    name: "Test",
    masked: maskApiKey(key),
    ...keyring.mac("api-key", key),
    origins: [],
    monthlyCap: null,
    createdAt: website.createdAt,
    createdBy: null,
    lastUsedAt: null,
    revokedAt: null,
  });
  if (url !== null) return letLieIn(services, website, url);
  for (let n = 1; n <= 5; n++) await contents.managed.posts.insert(buildPublishedPost(n, { websiteId: website.id }), { visible: true });
}

async function letLieIn({ platform, seals, clock }: Services, website: Website, url: string): Promise<void> {
  const now = timestamp(clock());
  await platform.ownDatabases.put({
    websiteId: website.id,
    connection: sealConnection(seals, website.id, { url, ca: null }),
    shown: url,
    serverVersion: "7.0.0",
    switches: false,
    connectedAt: now,
    activatedAt: now,
    ...NO_TROUBLE,
  });
  await platform.homes.pause(website.id, 10);
  if (!(await platform.homes.move(website, "own"))) throw new Error("A website of the test could not be moved.");
}

/** Resident memory of the service, in megabytes, as `/metrics` tells it. */
export async function memoryOf(service: ServiceProcess): Promise<number> {
  const metrics = await (await service.fetch("/metrics")).text();
  return Number(/process_resident_memory_bytes (\d+)/.exec(metrics)![1]) / 1e6;
}
